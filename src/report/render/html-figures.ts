import { CalibrantError } from "../../errors.ts";
import { formatCount } from "../format-number.ts";
import type { Plot } from "../plot.ts";
import { renderSvg } from "../plots/render-svg.ts";
import type { FigureGroup } from "./figure-groups.ts";
import { type Html, html, trusted } from "./html-template.ts";

/** Pictures of a page by the plot's id; null where the plotting packages are not installed. */
export type Pictures = ReadonlyMap<string, Html> | null;

/** Draws the pictures that a page shows. The colours follow the page's theme. */
export async function drawPictures(groups: readonly FigureGroup[]): Promise<Pictures> {
  const pictures = new Map<string, Html>();
  try {
    for (const plot of groups.flatMap(({ plots }) => plots)) {
      pictures.set(plot.id, trusted(await renderSvg(plot, { theme: "css" })));
    }
  } catch (error) {
    if (error instanceof CalibrantError && error.code === "missing-package") return null;
    throw error;
  }
  return pictures;
}

/**
 * A section with the pictures of a group.
 *
 * @param slices how many slices the report has; when not all of them are pictured, the section says so
 */
export function figureSection(group: FigureGroup, pictures: Pictures, slices: number): Html {
  const { id, title, guide, plots } = group;
  const body =
    pictures === null
      ? html`<p class="note">Pictures need the packages vega and vega-lite: npm install vega vega-lite.</p>`
      : html`<div class="figures">${plots.map((plot) => figureHtml(plot, pictures))}</div>`;
  return html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
<p>${guide}</p>
${moreSlices(plots, slices)}${body}
</section>
`;
}

function moreSlices(plots: readonly Plot[], slices: number): Html | null {
  const pictured = plots.filter(({ slice }) => slice !== null).length;
  if (pictured === 0 || pictured >= slices) return null;
  return html`<p class="note">Pictures of some of the ${formatCount(slices)} slices; <a href="#tables">the tables</a> have them all.</p>
`;
}

function figureHtml(plot: Plot, pictures: ReadonlyMap<string, Html>): Html {
  return html`<figure aria-labelledby="caption-${plot.id}">
<div class="plot">${pictures.get(plot.id) ?? null}</div>
<figcaption id="caption-${plot.id}">${plot.description}</figcaption>
</figure>
`;
}
