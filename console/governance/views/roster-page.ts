import type { Roster } from '../../../protocol/resources/governance.ts'
import type { Api } from '../../data/api-client.ts'
import { useCell, useLoaded } from '../../data/hooks.ts'
import { route } from '../../data/route.ts'
import { html } from '../../html.ts'
import InclusionCheck from '../../log/parts/inclusion-check.ts'
import { Empty, ErrorNote, Loading } from '../../parts/notes.ts'
import { RecordTable } from '../../parts/record-table.ts'
import { keyState } from '../model/deadline.ts'
import { minuteOf } from '../model/words.ts'
import { DocumentHead } from '../parts/document-head.ts'
import { getRoster } from '../reads.ts'
import { useServiceClock } from '../use-service-clock.ts'

const COLUMNS = [
  ['Member', 'head'],
  ['Roles', 'text'],
  ['Keys', 'text'],
] as const

/** Roster in force, or an earlier version: who decides, with which keys. */
export function RosterPage({ api }: { api: Api }) {
  const { version } = useCell(route)
  const read = useLoaded(`roster ${version} ${api.as_of}`, (signal) => getRoster(api, version, signal))
  const clock = useServiceClock(api)
  if (read.state === 'failed') return html`<${ErrorNote} error=${read.error} what="Roster" />`
  if (read.state === 'loading') return html`<${Loading} what="roster" />`
  if (read.data === null)
    return html`<${Empty}>No roster: nothing is governed here${api.as_of === null ? '' : ' at this time'}<//>`
  const roster = read.data
  const rows = roster.members.map((member) => ({
    key: member.actor_id,
    cells: [
      html`<span class="outcome">${member.name} <span class="quiet">${member.actor_id}</span></span>`,
      member.roles.join(', '),
      html`<ul class="keys">${member.keys.map((key) => html`<${Key} key=${key.public_key} of=${key} now_ms=${clock.now_ms} />`)}</ul>`,
    ],
  }))
  return html`<${DocumentHead} api=${api} kind="roster" document=${roster} clock=${clock} facts=${[['Threshold', `${roster.threshold} of the administrators sign the next roster`]]} />
    <${InclusionCheck} path="/governance/roster/proof" query=${{ version: roster.version }} record=${roster} subject="this roster" />
    <${RecordTable} id="members" title="Members" columns=${COLUMNS} rows=${rows} empty="No members" />`
}

type MemberKey = Roster['members'][number]['keys'][number]

function Key({ of, now_ms }: { of: MemberKey; now_ms: number }) {
  const { public_key, valid_from, valid_to, revoked_at } = of
  const state = keyState(of, now_ms)
  const until = valid_to === null ? 'on' : `to ${minuteOf(valid_to)}`
  return html`<li class=${state === 'valid' ? '' : 'is-unusable'}>
    <code class="hash">${public_key}</code> <span class="tag">${state}</span>
    <span class="quiet"> from ${minuteOf(valid_from)} ${until}${revoked_at !== null && `, revoked ${minuteOf(revoked_at)}`}</span>
  </li>`
}
