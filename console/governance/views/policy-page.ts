import type { Policy } from '../../../protocol/resources/governance.ts'
import type { Api } from '../../data/api-client.ts'
import { useCell, useLoaded } from '../../data/hooks.ts'
import { showDuration } from '../../data/instant-text.ts'
import { route } from '../../data/route.ts'
import { html } from '../../html.ts'
import InclusionCheck from '../../log/parts/inclusion-check.ts'
import type { Fact } from '../../parts/facts.ts'
import { Empty, ErrorNote, Loading } from '../../parts/notes.ts'
import { type Column, RecordTable } from '../../parts/record-table.ts'
import { DocumentHead } from '../parts/document-head.ts'
import { getPolicy } from '../reads.ts'
import { useServiceClock } from '../use-service-clock.ts'

const COLUMNS: readonly Column[] = [
  ['Class', 'head'],
  ['Committee', 'number'],
  ['Oversight', 'number'],
  ['Comments', 'number'],
  ['Vote', 'number'],
  ['Notice', 'number'],
  ['Impact', 'text'],
]

/** Policy in force, or an earlier version: signatures and waiting times by class of change. */
export function PolicyPage({ api }: { api: Api }) {
  const { version } = useCell(route)
  const read = useLoaded(`policy ${version} ${api.as_of}`, (signal) => getPolicy(api, version, signal))
  const clock = useServiceClock(api)
  if (read.state === 'failed') return html`<${ErrorNote} error=${read.error} what="Policy" />`
  if (read.state === 'loading') return html`<${Loading} what="policy" />`
  if (read.data === null) return html`<${Empty}>No policy${api.as_of === null ? ' yet' : ' at this time'}<//>`
  const policy = read.data
  const rows = policy.classes.map(({ change_class, committee, oversight, comment, vote, notice, impact }) => ({
    key: change_class,
    cells: [
      change_class,
      committee,
      oversight,
      durationText(comment),
      vote === 'PT0S' ? 'until carried' : showDuration(vote),
      durationText(notice),
      impact ?? 'of new versions',
    ],
  }))
  return html`<${DocumentHead} api=${api} kind="policy" document=${policy} clock=${clock} facts=${periods(policy)} />
    <${InclusionCheck} path="/governance/policy/proof" query=${{ version: policy.version }} record=${policy} subject="this policy" />
    <${RecordTable} id="classes" title="Signatures and waiting times" columns=${COLUMNS} rows=${rows} empty="No classes" />`
}

function periods(policy: Policy): readonly Fact[] {
  return [
    ['Proposal lives', showDuration(policy.proposal_lifetime)],
    [
      'Late vote',
      `in the last ${showDuration(policy.late_window)}: prolonged by ${showDuration(policy.late_extension)}`,
    ],
    ['Emergency', `lapses after ${showDuration(policy.emergency_lapse)} unless ratified`],
    [
      'Drift',
      policy.drift_after === undefined ? 'shown only' : `drafted as a change after ${showDuration(policy.drift_after)}`,
    ],
  ]
}

function durationText(text: string): string {
  return text === 'PT0S' ? 'none' : showDuration(text)
}
