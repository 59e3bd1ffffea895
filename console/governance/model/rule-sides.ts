import type { RuleChange } from '../../../protocol/resources/notice.ts'
import { RULE_FIELDS } from '../../../vocabulary/notices.ts'

/** One text of a market's rules before and after a change; null: there was none. */
type RuleSide = {
  readonly field: string
  readonly before: string | null
  readonly after: string | null
  readonly is_changed: boolean
}

/** A text of a market's rules with the one that it replaced. */
export type RuleRevision = { readonly change: RuleChange; readonly sides: readonly RuleSide[] }

/**
 * Returns the rules of one market as they changed, newest first, each beside the text with the hash that it replaced.
 * @param changes  oldest first, all of one market
 */
export function ruleRevisions(changes: readonly RuleChange[]): readonly RuleRevision[] {
  const revisions = changes.map((change) => {
    const before = changes.find(({ rules_sha256 }) => rules_sha256 === change.previous_sha256) ?? null
    const sides = RULE_FIELDS.map((field): RuleSide => {
      const is_changed = change.kind === 'changed' && change.changed_fields.includes(field)
      return { field, before: textOf(before, field), after: textOf(change, field), is_changed }
    })
    return { change, sides: sides.filter(({ before: old, after }) => old !== null || after !== null) }
  })
  return revisions.toReversed()
}

function textOf(change: RuleChange | null, field: (typeof RULE_FIELDS)[number]): string | null {
  const value = change?.[field] ?? null
  return typeof value === 'string' || value === null ? value : value.join('\n')
}
