import { CalibrantError } from "../../errors.ts";

/** The packages of the official SDK that the proxy uses. */
const PACKAGES =
  "@modelcontextprotocol/client@2.4.0 @modelcontextprotocol/server@2.4.0 @modelcontextprotocol/node@2.1.2";

/**
 * Loads the stdio transport of the official SDK towards servers.
 *
 * @throws CalibrantError `missing-package` saying how to install it.
 */
export async function loadMcpStdioClient(): Promise<typeof import("@modelcontextprotocol/client/stdio")> {
  return loaded("@modelcontextprotocol/client", () => import("@modelcontextprotocol/client/stdio"));
}

/** Loads the HTTP transport of the official SDK towards servers. @throws as {@link loadMcpStdioClient}. */
export async function loadMcpClient(): Promise<typeof import("@modelcontextprotocol/client")> {
  return loaded("@modelcontextprotocol/client", () => import("@modelcontextprotocol/client"));
}

/** Loads the stdio transport of the official SDK towards clients. @throws as {@link loadMcpStdioClient}. */
export async function loadMcpStdioServer(): Promise<typeof import("@modelcontextprotocol/server/stdio")> {
  return loaded("@modelcontextprotocol/server", () => import("@modelcontextprotocol/server/stdio"));
}

/** Loads the HTTP transports of the official SDK towards clients. @throws as {@link loadMcpStdioClient}. */
export async function loadMcpServer(): Promise<typeof import("@modelcontextprotocol/server")> {
  return loaded("@modelcontextprotocol/server", () => import("@modelcontextprotocol/server"));
}

/** Loads what joins those to Node's HTTP server. @throws as {@link loadMcpStdioClient}. */
export async function loadMcpNode(): Promise<typeof import("@modelcontextprotocol/node")> {
  return loaded("@modelcontextprotocol/node", () => import("@modelcontextprotocol/node"));
}

/** Loads what checks data by JSON Schema, as the official SDK's clients do. @throws as {@link loadMcpStdioClient}. */
export async function loadMcpValidator(): Promise<
  typeof import("@modelcontextprotocol/server/validators/ajv")
> {
  return loaded("@modelcontextprotocol/server", () => import("@modelcontextprotocol/server/validators/ajv"));
}

async function loaded<T>(name: string, load: () => Promise<T>): Promise<T> {
  try {
    return await load();
  } catch (error) {
    const message = `calibrant inject needs the package ${name}: npm install ${PACKAGES}`;
    throw new CalibrantError("missing-package", message, { package: name }, { cause: error });
  }
}
