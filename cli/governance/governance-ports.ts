import type { GovernancePerformed } from '../../operations/governance/perform-governance-act.ts'
import { takesEffectAt } from '../../pipelines/governance/due.ts'
import type { Proposal } from '../../pipelines/governance/proposal.ts'
import { notAllowed } from '../../primitives/errors.ts'
import { formatMicros, type Instant } from '../../primitives/instants.ts'
import type { Invocation } from '../../service/invocation.ts'
import type { Output } from '../../service/output.ts'
import { withWarehouse } from '../../service/with-warehouse.ts'
import type { GovernanceActName } from '../../vocabulary/governance.ts'
import { loadSigner, type SignerOptions } from '../review/signer-options.ts'

type Details = Readonly<Record<string, string | null>>

/** Performs an act on a proposal, signed by the key of the options, and prints the proposal after it. */
export async function actOnProposal(
  run: Pick<Invocation<SignerOptions>, 'options' | 'settings' | 'output'>,
  proposal_id: string,
  act: GovernanceActName,
  details: Details,
): Promise<void> {
  const { governanceActOf } = await import('../../operations/governance/governance-act-of.ts')
  const { prepareAndPerform } = await import('../../operations/governance/perform-governance-act.ts')
  const signer = await loadSigner(run.options)
  const performed = await withWarehouse(run.settings, { create: false }, (warehouse) =>
    prepareAndPerform(warehouse, () => governanceActOf(warehouse, signer, { proposal_id, act, details })),
  )
  await printPerformedAct(run.output, performed)
}

/** Prints an act, the proposal after it, and what that waits for. */
export async function printPerformedAct(output: Output, performed: GovernancePerformed): Promise<void> {
  const { act_id, proposal, next } = performed
  if (output.json)
    return output.document({ act_id, proposal: proposal === null ? null : shownProposal(proposal), next })
  await output.table(
    ['act', 'proposal', 'kind', 'class', 'state', 'takes effect'],
    [
      [
        act_id,
        proposal?.proposal_id ?? null,
        proposal?.kind ?? null,
        proposal?.change_class ?? null,
        proposal?.state ?? null,
        proposal === null ? null : plannedAt(proposal),
      ],
    ],
  )
  if (next !== null) await output.line(`next: ${next}`)
}

/** Returns when a proposal takes effect, or was to; null: its notice has not begun. */
export function plannedAt(proposal: Proposal): Instant | null {
  const at = takesEffectAt(proposal)
  return at === null ? null : formatMicros(at)
}

/** Returns a proposal as `--json` shows it. */
export function shownProposal(proposal: Proposal) {
  const instants = [
    'proposed_at',
    'comment_ends_at',
    'vote_ends_at',
    'effective_at',
    'expires_at',
    'lapses_at',
  ] as const
  const texts = instants.map((name) => {
    const at = proposal[name]
    return [name, at === null ? null : formatMicros(at)] as const
  })
  const votes = (list: Proposal['votes']) => list.map((vote) => ({ ...vote, acted_at: formatMicros(vote.acted_at) }))
  const { enacted_at: _in_takes_effect_at, ...shown } = proposal
  return {
    ...shown,
    ...Object.fromEntries(texts),
    takes_effect_at: plannedAt(proposal),
    votes: votes(proposal.votes),
    ratifications: votes(proposal.ratifications),
  }
}

/** Parses a version of a roster or policy. @throws {ServiceError} VALIDATION_USAGE_INVALID */
export function parseVersion(text: string | undefined): number | null {
  if (text === undefined) return null
  if (/^[1-9]\d{0,8}$/.test(text)) return Number(text)
  throw notAllowed('VALIDATION_USAGE_INVALID', 'document', text, 'the number of a version, from 1')
}
