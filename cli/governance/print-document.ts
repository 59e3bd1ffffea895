import type { PolicyDocument, RosterDocument } from '../../pipelines/governance/documents.ts'
import type { Output } from '../../service/output.ts'

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
