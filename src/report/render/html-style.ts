import { DARK, LIGHT, paletteCss } from "../plots/plot-theme.ts";

const LIGHT_PAGE =
  "--page:#ffffff;--raised:#f6f7f9;--line:#dde1e6;--text:#1f2328;--muted:#57606a;--link:#0b57a4;--good:#136d3c;--bad:#a33b0a;--focus:#0b57a4;";
const DARK_PAGE =
  "--page:#14171c;--raised:#1c2027;--line:#333a44;--text:#e6edf3;--muted:#a3adb8;--link:#86bff8;--good:#6fcf97;--bad:#f5a07a;--focus:#86bff8;";

/** The style of a page: light unless a screen asks for dark; paper is always light. */
export const PAGE_STYLE: string = `
:root{color-scheme:light;${LIGHT_PAGE}${paletteCss(LIGHT)}}
@media screen and (prefers-color-scheme:dark){:root{color-scheme:dark;${DARK_PAGE}${paletteCss(DARK)}}}
*{box-sizing:border-box}
html{-webkit-text-size-adjust:100%;text-size-adjust:100%}
body{margin:0 auto;padding:1.5rem clamp(1rem,4vw,3rem) 4rem;max-width:96rem;background:var(--page);color:var(--text);
font:1rem/1.55 system-ui,-apple-system,"Segoe UI",Roboto,"Helvetica Neue",Arial,sans-serif;overflow-wrap:break-word}
h1,h2,h3{line-height:1.25;text-wrap:balance;font-weight:650}
h1{font-size:1rem;margin:0;letter-spacing:.01em}
h2{font-size:1.375rem;margin:3.25rem 0 .5rem}
h3{font-size:1.0625rem;margin:2rem 0 .5rem}
p,ul,dl{margin:.5rem 0 .75rem}
p,li,dd{max-width:46rem}
a{color:var(--link);text-underline-offset:.15em}
code{font:.875em/1.5 ui-monospace,SFMono-Regular,Menlo,Consolas,"DejaVu Sans Mono",monospace}
pre{font-size:1rem}
small{font-size:.8125rem}
header,footer,.note,.inputs,figcaption{color:var(--muted)}
header h1{color:var(--text)}
.inputs{margin:0;font-size:.9375rem}
.note,footer{font-size:.9375rem}
:focus-visible{outline:3px solid var(--focus);outline-offset:2px;border-radius:2px}
.skip{position:absolute;left:-100rem;top:0;padding:.5rem 1rem;background:var(--page);z-index:9}
.skip:focus{left:.5rem;top:.5rem}
.hidden{position:absolute;width:1px;height:1px;margin:-1px;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.answer h2{margin:2rem 0 .25rem;font-size:1rem;font-weight:450;color:var(--muted)}
.lead{max-width:40rem;margin:0 0 1.25rem;font-size:clamp(1.375rem,1.1rem + 1.4vw,2rem);line-height:1.25;font-weight:600;letter-spacing:-.01em;text-wrap:pretty}
.verdicts,.evidence{padding-left:1.1rem}
.verdicts{font-size:1.125rem}
.verdicts li,.evidence li{margin:.3rem 0}
nav{margin:2rem 0 0;border-block:1px solid var(--line);padding:.6rem 0}
nav ul{list-style:none;display:flex;flex-wrap:wrap;gap:.35rem 1.5rem;margin:0;padding:0;font-size:.9375rem}
nav a{display:inline-block;padding:.15rem 0}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,24rem),1fr));gap:2rem 2.5rem;margin-top:1.25rem}
figure{margin:0;min-width:0}
.plot svg{display:block}
figcaption{margin-top:.5rem;font-size:.875rem;line-height:1.5;max-width:34rem}
.scroll{position:relative;overflow:auto;width:fit-content;max-width:100%;max-height:max(90vh,80rem);border-block:1px solid var(--line);margin:.75rem 0}
table{border-collapse:separate;border-spacing:0;font-size:.9375rem;font-variant-numeric:tabular-nums;}
th,td{padding:.45rem .75rem;text-align:left;vertical-align:baseline;border-bottom:1px solid var(--line)}
tbody:last-child tr:last-child>*{border-bottom:0}
td{position:relative;white-space:nowrap}
td.text{white-space:normal;min-width:7rem;max-width:22rem}
td.prose{min-width:18rem;max-width:36rem}
.scroll.full{max-height:none}
td.number,th.number{text-align:right}
td.missing{color:var(--muted)}
td small{display:block;color:var(--muted);white-space:nowrap}
td.text small,td small.long{white-space:normal}
td small.long{min-width:10rem;max-width:18rem;margin-left:auto}
thead th{position:sticky;top:0;z-index:2;background:var(--raised);font-weight:600;vertical-align:bottom;min-width:5rem;max-width:8.5rem}
tbody th{position:sticky;left:0;z-index:1;background:var(--page);font-weight:500;min-width:8rem;max-width:18rem}
th bdi{overflow-wrap:anywhere}
th bdi.words{overflow-wrap:normal}
thead th:first-child{left:0;z-index:3}
tbody.whole>tr>*{background:var(--raised)}
tr:target>*{background:var(--raised)}
thead button{all:unset;cursor:pointer}
thead button::after{content:"\\a0↕";color:var(--muted);font-size:.85em}
[aria-sort=ascending] button::after{content:"\\a0↑";color:inherit}
[aria-sort=descending] button::after{content:"\\a0↓";color:inherit}
thead button:focus-visible{outline:3px solid var(--focus);outline-offset:2px}
.verdict{white-space:nowrap}
td .better{color:var(--good);font-weight:600}
td .worse{color:var(--bad);font-weight:600}
.command{background:var(--raised);padding:.75rem 1rem;overflow:auto;white-space:pre-wrap;overflow-wrap:anywhere;max-width:100%;user-select:all}
.facts{display:grid;gap:.4rem 0;margin:1.25rem 0}
.facts div{display:grid;grid-template-columns:minmax(7rem,11rem) 1fr;gap:0 1rem}
.facts dt{color:var(--muted)}
.facts dd{margin:0;min-width:0;overflow-wrap:anywhere}
#pause{font:inherit;font-size:.9375rem;padding:.25rem .75rem;margin-top:.5rem;color:var(--text);background:var(--raised);border:1px solid var(--muted);border-radius:4px;cursor:pointer}
#pause[aria-pressed=true]{background:var(--text);color:var(--page)}
footer{margin-top:3rem;border-top:1px solid var(--line);padding-top:.5rem}
@media (max-width:40rem){
body{padding-inline:1rem}
h2{margin-top:2.5rem}
.plot{margin-inline:-.75rem}
tbody th,thead th:first-child{min-width:6rem;max-width:9rem}
th,td{padding:.4rem .6rem}
.facts div{grid-template-columns:1fr}
}
@media print{
@page{margin:16mm 14mm}
html{font-size:10pt}
body{max-width:none;padding:0}
h2{margin-top:1.75rem}
.lead{font-size:1.5rem}
figcaption,small{font-size:.75rem}
nav,.skip,#pause,thead button::after{display:none!important}
.scroll{overflow:visible;max-height:none}
table{font-size:8pt;width:100%}
th,td{padding:.25rem .35rem;position:static!important}
thead th,td.text{min-width:0}
tbody th{min-width:5rem}
thead{display:table-header-group}
thead th,td{white-space:normal}
td small.long{min-width:0}
td small{font-size:7pt}
tr,figure,.answer{break-inside:avoid}
h1,h2,h3{break-after:avoid}
.figures{grid-template-columns:1fr 1fr;gap:1rem 1.5rem}
a{color:inherit;text-decoration:none}
}
`;
