import { ERROR_GUIDE } from '../../api/pages/error-guide.ts'

const STAGES = Object.entries(ERROR_GUIDE).flatMap(([code, { stage }]) =>
  stage === null ? [] : [[code, stage + 1] as const],
)

/** Renders the check of a request that each error code belongs to, for the Python client. */
export function renderPythonErrorStages(): string {
  const rows = STAGES.map(([code, stage]) => `    "${code}": ${stage},\n`)
  return `"""Check of a request that finds each error, from 1 on; made from the guide to the errors by \`npm run docs\`."""

STAGE_OF: dict[str, int] = {
${rows.join('')}}
`
}

/** Renders the same for the TypeScript client. */
export function renderErrorStages(): string {
  const rows = STAGES.map(([code, stage]) => `  ${code}: ${stage},\n`)
  return `/** Check of a request that finds each error, from 1 on; made from the guide to the errors by \`npm run docs\`. */
export const STAGE_OF: Readonly<Record<string, number>> = {
${rows.join('')}}
`
}
