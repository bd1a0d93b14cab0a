export { buildPlots, PICTURED_SLICES } from "./build-plots.ts";
export { evaluateBatches, evaluateTable } from "./evaluate-table.ts";
export {
  type CertaintyMargin,
  type Comparison,
  type Delta,
  type Estimate,
  EVALUATION_SCHEMA,
  type Evaluation,
  type EvaluationColumns,
  type EvaluationFlag,
  type EvaluationIou,
  type EvaluationSlice,
  type ExcludedRows,
  type IouNull,
  type Reliability,
  type RiskCurve,
  type SliceHistogram,
} from "./evaluation.ts";
export {
  type EvaluationJsonOptions,
  evaluationJson,
  evaluationJsonSchema,
  parseEvaluation,
} from "./evaluation-json.ts";
export type { BaselineOption, EvaluationOptions } from "./evaluation-options.ts";
export { createEvaluator, type Evaluator } from "./evaluator.ts";
export { METRIC_NAMES, METRICS, type MetricInfo, type MetricName } from "./metric-info.ts";
export type { Plot } from "./plot.ts";
export { DARK, LIGHT, type Palette, type PlotTheme, paletteCss } from "./plot-theme.ts";
export { type RenderHtmlOptions, renderHtml } from "./render-html.ts";
export { type RenderMarkdownOptions, renderMarkdown } from "./render-markdown.ts";
export { type RenderPngOptions, renderPng } from "./render-png.ts";
export { type RenderSvgOptions, renderSvg } from "./render-svg.ts";
export { renderTerminal } from "./render-terminal.ts";
