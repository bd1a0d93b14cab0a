import { createServer, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { afterAll, beforeAll, expect, it } from "vitest";
import { nodeFetch } from "../../../src/cli/inject/node-fetch.ts";

let server: Server;
let base: string;
const sockets = new Set<unknown>();

beforeAll(async () => {
  server = createServer((request, response) => {
    sockets.add(request.socket);
    if (request.url === "/hang") return;
    if (request.url === "/cut") {
      response.write("half");
      setTimeout(() => request.socket.destroy(), 20);
      return;
    }
    if (request.url === "/empty") response.writeHead(204).end();
    else request.pipe(response.writeHead(203, { "x-sent": String(request.headers["x-own"]) }));
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterAll(() => {
  server.close();
  server.closeAllConnections();
});

it("answers as fetch does, on one connection", async () => {
  const fetch = nodeFetch();
  for (const body of ["één", "two"]) {
    const answer = await fetch(`${base}/`, { method: "POST", body, headers: { "X-Own": "1" } });
    expect([answer.status, answer.headers.get("x-sent"), await answer.text()]).toEqual([203, "1", body]);
  }
  const empty = await fetch(new URL("/empty", base));
  expect([empty.status, empty.body]).toEqual([204, null]);
  expect(sockets.size).toBe(1);
});

it("fails as fetch does", async () => {
  const fetch = nodeFetch();
  const stop = new AbortController();
  const hanging = fetch(`${base}/hang`, { signal: stop.signal });
  setTimeout(() => stop.abort(), 30);
  await expect(hanging).rejects.toThrow(expect.objectContaining({ name: "AbortError" }));
  await expect(fetch(`${base}/`, { signal: stop.signal })).rejects.toThrow(/aborted/);
  await expect((await fetch(`${base}/cut`)).text()).rejects.toThrow("terminated");
  const refused = fetch("http://127.0.0.1:9/");
  await expect(refused).rejects.toThrow(TypeError);
  await expect(refused).rejects.toMatchObject({ cause: { code: "ECONNREFUSED" } });
});
