import { ERROR_GUIDE } from '../../api/pages/error-guide.ts'

/** Renders the check of a request that each error code belongs to, for clients. */
export function renderErrorStages(): string {
  const rows = Object.entries(ERROR_GUIDE).flatMap(([code, { stage }]) =>
    stage === null ? [] : [`  ${code}: ${stage + 1},\n`],
  )
  return `/** Check of a request that finds each error, from 1 on; made from the guide to the errors by \`npm run docs\`. */
export const STAGE_OF: Readonly<Record<string, number>> = {
${rows.join('')}}
`
}
