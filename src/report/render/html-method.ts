import type { Evaluation, EvaluationFlag } from "../evaluation.ts";
import { formatCount } from "../format-number.ts";
import { factList } from "./html-section.ts";
import { labelHtml, scrollTable } from "./html-tables.ts";
import { type Html, html } from "./html-template.ts";
import { definitions, methodFacts, SEPARATION_NOTE } from "./method-facts.ts";

/** Up to this many flags of one code are spelled out; of more, only the first ones are. */
const FLAGS_SPELLED_OUT = 8;

interface FlaggedSlice {
  readonly label: string;
  readonly index: number;
  readonly flag: EvaluationFlag;
}

/** Flags by code with the slices they are on, and the notes on the whole report; null when there are none. */
export function flagsHtml({ overall, slices, notes }: Evaluation): Html | null {
  const flagged = [overall, ...slices].flatMap(({ label, flags }, index) =>
    flags.map((flag): FlaggedSlice => ({ label, index, flag })),
  );
  const codes = [...new Set(flagged.map(({ flag }) => flag.code))];
  if (codes.length === 0 && notes.length === 0) return null;
  const groups = codes.map((code) =>
    flagGroup(
      code,
      flagged.filter(({ flag }) => flag.code === code),
    ),
  );
  const remarks = notes.map((note) => html`<li>${note}</li>`);
  const list = notes.length === 0 ? null : html`<ul>${remarks}</ul>\n`;
  return html`${list}${groups}`;
}

function flagGroup(code: string, flagged: readonly FlaggedSlice[]): Html {
  const shown = flagged.slice(0, FLAGS_SPELLED_OUT);
  const rest = flagged.length - shown.length;
  const items = shown.map(
    ({ label, index, flag }) =>
      html`<li><a href="#slice-${index}">${labelHtml(label)}</a>: ${flag.text}</li>\n`,
  );
  const more =
    rest === 0
      ? null
      : html`<li>and ${formatCount(rest)} more slices, marked in <a href="#table-rows-name">the table</a></li>`;
  return html`<h3><code>${code}</code></h3>
<ul>${items}${more}</ul>
`;
}

/** Everything that is needed to compute the report again and to read its numbers. */
export function methodHtml(evaluation: Evaluation): Html {
  return html`<p>${SEPARATION_NOTE}</p>
${commandHtml(evaluation)}${factList(methodFacts(evaluation))}<h3 id="definitions-name">Definitions</h3>
${definitionsHtml(evaluation)}`;
}

function commandHtml({ command }: Evaluation): Html | null {
  if (command === null) return null;
  return html`<p id="command-name">The same report again:</p>
<pre class="command" role="region" tabindex="0" aria-labelledby="command-name"><code>${command}</code></pre>
`;
}

function definitionsHtml(evaluation: Evaluation): Html {
  const head = html`<tr><th scope="col">Metric</th><th scope="col">Name in JSON</th><th scope="col">What it is</th><th scope="col">Unit</th><th scope="col">Better</th></tr>`;
  const rows = definitions(evaluation).map(
    ({ name, title, meaning, unit, better }) =>
      html`<tr><th scope="row">${title}</th><td class="text"><code>${name}</code></td><td class="text prose">${meaning}</td><td class="text">${unit}</td><td class="text">${better ?? "neither"}</td></tr>\n`,
  );
  return scrollTable({
    id: "definitions",
    head,
    bodies: [html`<tbody>${rows}</tbody>`],
    sortable: false,
    full: true,
  });
}
