import { PARAMETER_SHEET } from '../../pipelines/index/parameters.ts'

/** The parameter sheet of index methodologies as a table: name, kind, default. */
export function renderParameterTable(): string {
  const rows = Object.entries(PARAMETER_SHEET).map(([name, row]) => {
    const kind = typeof row.kind === 'string' ? row.kind.replace('_', ' ') : row.kind.join(' or ')
    return `| \`${name}\` | ${kind} | ${row.default === null ? 'off' : `\`${row.default}\``} |`
  })
  return ['| parameter | kind | default |', '|---|---|---|', ...rows].join('\n')
}
