import { LIMITS } from '../../protocol/limit-table.ts'

/** Renders every limit of the API as a table: name, default, scope, what happens beyond it, metric, file. */
export function renderLimitsTable(): string {
  const rows = LIMITS.map(({ name, value, per, code, effect, metric, enforced_in }) => {
    const beyond = code === null ? effect : `\`${code}\``
    return `| \`${name}\` | ${value} | ${per} | ${beyond} | ${metric === null ? '' : `\`${metric}\``} | \`${enforced_in}\` |`
  })
  return ['| limit | default | per | beyond it | metric | enforced in |', '|---|---|---|---|---|---|', ...rows].join(
    '\n',
  )
}
