import type { PolicyDocument, RosterDocument } from '../../pipelines/governance/documents.ts'
import type { Output } from '../../service/output.ts'

/** Times of a policy that hold for every class. */
const POLICY_TIMES = [
  ['proposal_lifetime', 'a proposal that is not in force by then expires'],
  ['late_window', 'a vote that is carried so shortly before its end is prolonged, once'],
  ['late_extension', 'by which such a vote is prolonged'],
  ['emergency_lapse', 'after which an emergency that is not ratified lapses'],
  ['drift_after', 'after which drift of a constituent is drafted as a change'],
] as const satisfies readonly (readonly [keyof PolicyDocument, string])[]

/** Prints the people of a roster, or the classes of a policy. */
export async function printDocument(output: Output, document: RosterDocument | PolicyDocument): Promise<void> {
  if (document.statement === 'tidemark.roster.v1') {
    await output.line(`${document.threshold} administrators sign a successor`)
    return output.table(
      ['actor', 'name', 'roles', 'key', 'valid from', 'valid to', 'revoked'],
      document.members.flatMap(({ actor_id, name, roles, keys }) =>
        keys.map((key) => [
          actor_id,
          name,
          roles.join(', '),
          `${key.public_key.slice(0, 16)}…`,
          key.valid_from,
          key.valid_to,
          key.revoked_at,
        ]),
      ),
    )
  }
  for (const [field, meaning] of POLICY_TIMES) {
    const time = document[field]
    if (time !== undefined) await output.line(`${field} ${time}: ${meaning}`)
  }
  await output.table(
    ['class', 'committee', 'oversight', 'comment', 'vote', 'notice', 'impact'],
    Object.entries(document.classes).map(([name, rule]) => [
      name,
      rule.committee,
      rule.oversight,
      rule.comment,
      rule.vote,
      rule.notice,
      rule.impact,
    ]),
  )
}
