import { PAGE_SCRIPT } from "./html-script.ts";
import { PAGE_STYLE } from "./html-style.ts";
import { type Html, html, trusted } from "./html-template.ts";

/** What goes into the frame of a page. */
export interface PageParts {
  readonly title: string;
  readonly body: Html;
  /** Reload after this many seconds; null = never. */
  readonly refreshSeconds: number | null;
}

/**
 * The whole file: head, style, body and script. Its content security policy allows inline style, this one script by its
 * hash, and nothing from anywhere.
 */
export async function htmlPage({ title, body, refreshSeconds }: PageParts): Promise<string> {
  const policy = [
    "default-src 'none'",
    "style-src 'unsafe-inline'",
    `script-src 'sha256-${await sha256(PAGE_SCRIPT)}'`,
    "base-uri 'none'",
    "form-action 'none'",
  ].join("; ");
  const reload =
    refreshSeconds === null
      ? null
      : html`<noscript><meta http-equiv="refresh" content="${refreshSeconds}"></noscript>\n`;
  const page = html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<meta name="generator" content="calibrant">
<title>${title}</title>
${reload}<style>${trusted(PAGE_STYLE)}</style>
</head>
<body data-refresh="${refreshSeconds ?? 0}">
${body}
<script>${trusted(PAGE_SCRIPT)}</script>
</body>
</html>
`;
  return page.html;
}

async function sha256(text: string): Promise<string> {
  const digest = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(text));
  return btoa(String.fromCharCode(...new Uint8Array(digest)));
}
