export { evaluateBatches, evaluateTable } from "./evaluate/evaluate-table.ts";
export { createEvaluator, type Evaluator } from "./evaluate/evaluator.ts";
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
export type { BaselineOption, EvaluationOptions } from "./evaluation-options.ts";
export { METRIC_NAMES, METRICS, type MetricInfo, type MetricName } from "./metric-info.ts";
export type { Plot } from "./plot.ts";
export { buildPlots, PICTURED_SLICES } from "./plots/build-plots.ts";
export { DARK, LIGHT, type Palette, type PlotTheme, paletteCss } from "./plots/plot-theme.ts";
export { type RenderPngOptions, renderPng } from "./plots/render-png.ts";
export { type RenderSvgOptions, renderSvg } from "./plots/render-svg.ts";
export {
  type EvaluationJsonOptions,
  evaluationJson,
  evaluationJsonSchema,
  parseEvaluation,
} from "./render/evaluation-json.ts";
export { type RenderHtmlOptions, renderHtml } from "./render/render-html.ts";
export { type RenderMarkdownOptions, renderMarkdown } from "./render/render-markdown.ts";
export { renderTerminal } from "./render/render-terminal.ts";

export { formatPercentage, formatPoints, formatShare } from "./tables/format-share.ts";
export { mergeToolFaultResults } from "./tables/merge-toolfault-results.ts";
export { renderTablesHtml } from "./tables/render-tables-html.ts";
export { renderTablesMarkdown } from "./tables/render-tables-markdown.ts";
export { type RenderTablesTerminalOptions, renderTablesTerminal } from "./tables/render-tables-terminal.ts";
export { robustnessDocument } from "./tables/robustness-document.ts";
export type {
  DocumentTable,
  TableCell,
  TableColumn,
  TableDocument,
  TableRow,
} from "./tables/table-document.ts";
export { type ToolFaultDocumentOptions, toolFaultDocument } from "./tables/toolfault-document.ts";
export { when2callDocument } from "./tables/when2call-document.ts";
