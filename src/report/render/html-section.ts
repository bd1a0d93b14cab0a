import { type Html, html } from "./html-template.ts";

/** A part of a page under a heading, which the list of parts links to. */
export interface Section {
  readonly id: string;
  readonly title: string;
  readonly content: Html;
}

/** A section whose heading has the id; null when there is nothing in it. */
export function section(id: string, title: string, content: Html | null): Section | null {
  if (content === null) return null;
  return {
    id,
    title,
    content: html`<section aria-labelledby="${id}">
<h2 id="${id}">${title}</h2>
${content}
</section>
`,
  };
}

/** The links to the sections of a page. */
export function sectionLinks(sections: readonly Section[]): Html {
  return html`<nav aria-label="Parts of the report"><ul>${sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}</ul></nav>`;
}

/** Names and values, one pair a line. */
export function factList(facts: readonly { readonly name: string; readonly value: string }[]): Html {
  const items = facts.map(({ name, value }) => html`<div><dt>${name}</dt><dd>${value}</dd></div>\n`);
  return html`<dl class="facts">
${items}</dl>
`;
}
