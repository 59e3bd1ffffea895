import { CAUSES } from '../../protocol/signing/debug/causes.ts'

/** Renders every cause that the signature debugger names. */
export function renderCausesTable(): string {
  const rows = Object.entries(CAUSES).map(([cause, sentence]) => `| \`${cause}\` | ${sentence} |`)
  return ['| cause | meaning |', '|---|---|', ...rows].join('\n')
}
