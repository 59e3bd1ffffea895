import { useState } from 'preact/hooks'
import type { ExecutableBand, LevelRobustness } from '../../protocol/resources/robustness.ts'
import type { Api } from '../data/api-client.ts'
import { asPercent, groupDigits, trimZeros } from '../data/decimal-text.ts'
import { type Loaded, useLoaded } from '../data/hooks.ts'
import { html } from '../html.ts'
import { Choice } from '../parts/choice.ts'
import { Facts } from '../parts/facts.ts'
import { ErrorNote, Loading } from '../parts/notes.ts'
import { QualityBadge } from '../parts/quality-badge.ts'
import { type Column, RecordTable } from '../parts/record-table.ts'
import { byMove, costText, moveText, reasonWords, sideText, type ValueOrReason } from './model.ts'
import { getBand, getRobustness } from './reads.ts'

const MOVES = [
  ['10', '0.1 %'],
  ['100', '1 %'],
  ['500', '5 %'],
] as const
const NOTIONALS = [
  ['0', 'best prices'],
  ['100', '100'],
  ['1000', '1,000'],
  ['10000', '10,000'],
] as const

type SectionProps = { readonly api: Api; readonly index_id: string; readonly observation_id: string }

/** Missing-input bound, manipulation cost and executable band of a level. */
export default function RobustnessSection({ api, index_id, observation_id }: SectionProps) {
  const [basis_points, setMove] = useState('100')
  const [notional, setNotional] = useState('1000')
  const wish = { index_id, observation_id, basis_points, notional }
  const robustness = useLoaded(`robustness ${observation_id} ${basis_points} ${api.as_of}`, (signal) =>
    getRobustness(api, wish, signal),
  )
  const band = useLoaded(`band ${observation_id} ${notional} ${api.as_of}`, (signal) => getBand(api, wish, signal))
  return html`<div class="section-head">
      <h3>Cost to move the level by</h3>
      <${Choice} legend="Move" name="move" value=${basis_points} options=${MOVES} onChoose=${setMove} />
    </div>
    <${Shown} read=${robustness} what="Manipulation cost" show=${CostFacts} />
    <div class="section-head">
      <h3>Levels at which a basket could be traded, worth</h3>
      <${Choice} legend="Notional" name="notional" value=${notional} options=${NOTIONALS} onChoose=${setNotional} />
    </div>
    <${Shown} read=${band} what="Executable band" show=${BandFacts} />
    <${Shown} read=${robustness} what="Missing-input bound" show=${MissingInputs} />`
}

type ShownProps<T> = {
  readonly read: Loaded<T>
  readonly what: string
  readonly show: (props: { readonly answer: T }) => unknown
}

/** An answer, or in its place that it is awaited or was refused. */
function Shown<T>({ read, what, show }: ShownProps<T>) {
  if (read.state === 'failed') return html`<${ErrorNote} error=${read.error} what=${what} />`
  if (read.state === 'loading') return html`<${Loading} what=${what.toLowerCase()} />`
  return html`<${show} answer=${read.data} />`
}

function CostFacts({ answer: { manipulation_cost: cost, reason } }: { answer: LevelRobustness }) {
  if (cost === null) return html`<p class="quiet">${sentence(reasonWords(reason ?? 'NO_LEVEL'))}</p>`
  const without = cost.without_depth.map(({ constituent_id, reason: why }) => `${constituent_id}: ${reasonWords(why)}`)
  return html`<${Facts} facts=${[
    ['Either way', html`<${Value} of=${costText(cost)} />`],
    ['Up', html`<${Value} of=${costText(cost.up)} />`],
    ['Down', html`<${Value} of=${costText(cost.down)} />`],
    [
      'Without depth',
      without.length === 0
        ? 'none'
        : html`<ul class="keys">${without.map((text) => html`<li key=${text}>${text}</li>`)}</ul>`,
    ],
  ]} />
    <p class="quiet small">Two bounds of the least notional: no push costs less than the first, and the second is enough. In what one contract pays.</p>`
}

function BandFacts({ answer: { bid, ask, level, reason } }: { answer: ExecutableBand }) {
  if (reason !== null) return html`<p class="quiet">${sentence(reasonWords(reason))}</p>`
  return html`<${Facts} facts=${[
    ['Sell at', html`<${Value} of=${sideText(bid)} />`],
    ['Level', level === null ? null : groupDigits(level)],
    ['Buy at', html`<${Value} of=${sideText(ask)} />`],
  ]} />`
}

const COLUMNS: readonly Column[] = [
  ['Without', 'head'],
  ['Level', 'number'],
  ['Move', 'number'],
  ['Basis points', 'number'],
  ['State'],
  ['Coverage', 'number'],
  ['At 0', 'number'],
  ['At 1', 'number'],
]

function MissingInputs({ answer: { missing_input: bound, reason } }: { answer: LevelRobustness }) {
  const rows =
    bound === null ? [] : byMove(bound.inputs).map((one) => ({ key: one.constituent_id, cells: cellsOf(one) }))
  const empty = sentence(reasonWords(reason ?? 'NO_LEVEL'))!
  return html`<${RecordTable} id="missing-inputs" title="Level without each input" columns=${COLUMNS} rows=${rows} empty=${empty} />`
}

type Input = NonNullable<LevelRobustness['missing_input']>['inputs'][number]

function cellsOf(one: Input) {
  const none = html`<span class="none">no level</span>`
  return [
    one.constituent_id,
    one.level_without === null ? none : groupDigits(one.level_without),
    moveText(one.move) ?? none,
    one.move_bp === null ? html`<span class="none">none</span>` : trimZeros(one.move_bp),
    html`<${QualityBadge} state=${one.quality_state} />`,
    `${asPercent(one.coverage_ratio)} %`,
    groupDigits(one.level_if_zero),
    groupDigits(one.level_if_one),
  ]
}

/** A value, with the reason for what is missing of it. */
function Value({ of: { value, reason } }: { of: ValueOrReason }) {
  return html`${value === null ? html`<span class="none">not known</span>` : html`<b>${value}</b>`}${reason !== null && html` <span class="codes">${reason}</span>`}`
}

function sentence(text: string | null): string | null {
  return text === null ? null : `${text.slice(0, 1).toUpperCase()}${text.slice(1)}.`
}
