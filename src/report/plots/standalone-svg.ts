import type { Plot } from "../plot.ts";

/**
 * The SVG that Vega writes, made fit to stand alone or with many others in one page: named by the plot's description,
 * text that can be selected, ids of its own, no larger than its place, and without attributes that nobody reads.
 */
export function standaloneSvg(svg: string, plot: Pick<Plot, "id" | "description">): string {
  const [, root = "", content = ""] = /^<svg([^>]*)>(.*)$/s.exec(svg) ?? [];
  const size = (name: string): string => rounded(new RegExp(` ${name}="([^"]*)"`).exec(root)?.[1] ?? "");
  const name = escapeXml(plot.description);
  const head =
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${name}" width="${size("width")}" ` +
    `height="${size("height")}" viewBox="${size("viewBox")}" style="max-width:100%;height:auto">`;
  return legalXml(`${head}<title>${name}</title>${ownIds(plainTags(content), plot.id)}`);
}

/** Text for XML content and quoted attributes. */
export function escapeXml(text: string): string {
  return text.replace(/&/g, "&amp;").replace(/</g, "&lt;").replace(/>/g, "&gt;").replace(/"/g, "&quot;");
}

/** Without the characters that XML does not allow, not even escaped: controls and halves of surrogate pairs. */
function legalXml(text: string): string {
  return text.replace(/(?![\t\n\r])[\p{Cc}\p{Cs}\ufffe\uffff]/gu, "\ufffd");
}

/**
 * Tags without class, role, aria and pointer-events: the picture is one image with one name, and `pointer-events="none"`
 * would keep its text from being selected. Numbers get three decimals. Paths that Vega hides are left out.
 */
function plainTags(content: string): string {
  return content
    .replace(/<path[^>]* display="none"[^>]*><\/path>/g, "")
    .replace(/<[a-z][^>]*>/gi, (tag) =>
      rounded(tag.replace(/ (class|role|aria-[a-z]+|pointer-events|xlink:[a-z]+)="[^"]*"/g, "")),
    );
}

function rounded(text: string): string {
  return text.replace(/-?\d*\.\d{4,}(e-?\d+)?/g, (digits) =>
    String(Math.round(Number(digits) * 1000) / 1000),
  );
}

/** Ids numbered in order of appearance after the plot's id: Vega counts over all pictures of a process. */
function ownIds(content: string, plotId: string): string {
  const prefix = plotId.replace(/[^\w-]/g, "_");
  const names = new Map<string, string>();
  const nameOf = (id: string): string => {
    const known = names.get(id) ?? `${prefix}-${names.size + 1}`;
    names.set(id, known);
    return known;
  };
  return content
    .replace(/url\(#([^)]+)\)/g, (_, id: string) => `url(#${nameOf(id)})`)
    .replace(/ id="([^"]+)"/g, (_, id: string) => ` id="${nameOf(id)}"`);
}
