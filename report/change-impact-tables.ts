import type { EligibilityImpact, EndImpact, MethodologyImpact } from '../pipelines/governance/impact/change-document.ts'
import { selectionRefusal } from '../pipelines/governance/impact/selection-refusal.ts'
import type { ImpactTick, ImpactTicks } from './impact-ticks.ts'
import { legend, lineSample } from './legend.ts'
import { levelChart } from './level-chart.ts'
import type { Markup } from './markup.ts'
import { lead, section } from './page.ts'
import { type Cell, type Column, table } from './table.ts'

const numbers = (...heads: readonly string[]): readonly Column[] => heads.map((head) => ({ head, kind: 'number' }))
const text = (head: string): Column => ({ head, kind: 'text' })
const code = (head: string): Column => ({ head, kind: 'code' })

/** Tables of the impact of a methodology. */
export function changeSections(document: MethodologyImpact): readonly (Markup | null)[] {
  return [
    section(
      'Parameters',
      table({
        id: 'parameters',
        caption: 'Parameters that differ',
        columns: [code('name'), text('before'), text('after')],
        rows: document.parameters.map(({ name, before, after }) => [name, before, after]),
      }),
    ),
    aloneSection(document),
    indexSection(document),
    document.not_computed.length === 0
      ? null
      : section(
          'Not computed',
          table({
            id: 'not_computed',
            caption: 'Indexes that the proposed parameters cannot compute in the window',
            note: unlistedNote(document.not_computed_unlisted),
            columns: [code('index'), code('reason')],
            rows: document.not_computed.map(({ index_id, code: reason }) => [index_id, reason]),
          }),
        ),
  ]
}

/** Effect of each parameter alone; null: the report has no marginal effects. */
function aloneSection({ changes }: MethodologyImpact): Markup | null {
  if (changes === undefined) return null
  return section(
    'Each parameter alone',
    lead('Each change applied to every index alone, all ticks together. The effects need not add up.'),
    table({
      id: 'changes',
      caption: 'Effect of each parameter alone',
      columns: [
        code('name'),
        ...numbers('indexes that differ', 'ticks that differ', 'other state', 'median bp', 'largest bp'),
        code('largest of'),
        ...numbers('not computed'),
      ],
      rows: changes.map(({ name, effect }) => [
        ...[name, effect.indexes_different, effect.ticks_different, effect.states_different],
        ...[effect.median_bp, effect.largest_bp, effect.largest_index_id, effect.not_computed],
      ]),
    }),
  )
}

function indexSection({ indexes, indexes_unlisted, lines }: MethodologyImpact): Markup {
  const data = lines === 'every_tick' ? 'every tick of each index' : 'the largest differences of each index'
  return section(
    'Indexes',
    lead(`Newest version of each index beside the same one with the proposed parameters. levels.csv has ${data}.`),
    table({
      id: 'indexes',
      caption: 'Indexes that use the methodology',
      note: unlistedNote(indexes_unlisted),
      columns: [
        code('index'),
        text('version'),
        text('class of its levels'),
        ...numbers('ticks', 'other level', 'other state', 'median bp', 'largest bp'),
        text('restate.bp'),
      ],
      rows: indexes.map((one) => [
        ...[one.index_id, one.version, one.change_class, one.ticks.compared, one.ticks.different_level],
        ...[one.ticks.different_state, one.median_bp, one.largest_bp, one.restate_bp],
      ]),
    }),
  )
}

/** Tables of the impact of an eligibility policy. */
export function eligibilitySections(document: EligibilityImpact): readonly (Markup | null)[] {
  const { markets, indexes, indexes_unlisted } = document
  const lost = indexes.flatMap((one) =>
    one.no_longer_eligible.map((moved): Cell[] => [one.index_id, ...lostCells(moved)]),
  )
  return [
    section(
      'Markets',
      table({
        id: 'markets',
        caption: 'Markets by decision',
        columns: [text(''), ...numbers('eligible', 'ineligible', 'unknown')],
        rows: [
          ...(markets.before === null ? [] : [['before', ...verdictCells(markets.before)]]),
          ['after', ...verdictCells(markets.after)],
        ],
      }),
    ),
    section(
      'Indexes',
      lead('An index keeps the version of the policy that it names, until a version of it names another.'),
      table({
        id: 'indexes',
        caption: 'Indexes that select by the policy',
        note: unlistedNote(indexes_unlisted),
        columns: [
          code('index'),
          text('version'),
          ...numbers('policy version', 'constituents', 'no longer eligible', 'selection enters', 'leaves'),
          text('no selection because'),
        ],
        rows: indexes.map((one) => [
          ...[one.index_id, one.version, one.policy_version, one.constituents],
          one.no_longer_eligible.length + one.no_longer_eligible_unlisted,
          ...[
            one.selection?.entering.length ?? null,
            one.selection?.leaving.length ?? null,
            selectionRefusal(one.selection_refused),
          ],
        ]),
      }),
      lost.length === 0
        ? null
        : table({
            id: 'lost',
            caption: 'Constituents that would no longer be eligible',
            columns: [code('index'), code('constituent'), code('market'), text('after'), text('reasons')],
            rows: lost,
          }),
    ),
  ]
}

type Lost = EligibilityImpact['indexes'][number]['no_longer_eligible'][number]

function lostCells({ constituent_id, market_id, after, reason_codes }: Lost): readonly Cell[] {
  return [constituent_id, market_id, after, reason_codes.join(', ')]
}

function verdictCells(counts: EligibilityImpact['markets']['after']): readonly Cell[] {
  return [counts.eligible, counts.ineligible, counts.unknown]
}

/** Tables of the impact of a status or the end of an index. */
export function endSections(document: EndImpact, data: ImpactTicks): readonly (Markup | null)[] {
  const { dependents, states, final_value, last, effective_from } = document
  const facts: Cell[][] = [
    ['takes effect', effective_from],
    ['final value', final_value],
    ['last level', last?.level ?? null],
    ['at', last?.tick_at ?? null],
    ...states.map(({ quality_state, ticks }): Cell[] => [`ticks ${quality_state}`, ticks]),
  ]
  const rows: Cell[][] = [
    ...dependents.proposals.map((one) => ['proposal', one.proposal_id, `${one.kind}, ${one.state}`]),
    ...dependents.substitute_of.map((id) => ['substitute of', id, null]),
    ...dependents.market_ids.map((id) => ['market whose rules name it', id, null]),
    ...dependents.severity_index_ids.map((id) => ['severity index of its events', id, null]),
    ...dependents.announced.map((start) => ['announced composition', start, null]),
    ...dependents.indexes.map((one) => ['index with the same outcomes', one.index_id, one.weight_shared]),
  ]
  return [
    section(
      'Index',
      table({ id: 'index', caption: 'Index and its levels', columns: [text(''), text('value')], rows: facts }),
    ),
    section(
      'Dependents',
      lead('Records that name the index, or that read the same markets.'),
      table({
        id: 'dependents',
        caption: 'What depends on the index',
        note: unlistedNote(dependents.unlisted),
        columns: [text('what'), code('id'), text('detail')],
        rows,
      }),
    ),
    substituteSection(document, data),
  ]
}

function substituteSection({ substitute, from, to }: EndImpact, { ticks }: ImpactTicks): Markup | null {
  if (substitute === null) return null
  const points = (of: (tick: ImpactTick) => string | null) => ticks.map((tick) => ({ at: tick.at, value: of(tick) }))
  return section(
    'Substitute',
    lead('Published levels of both. They have base values of their own.'),
    table({
      id: 'substitute',
      caption: `Substitute ${substitute.index_id}`,
      columns: [text(''), text('value')],
      rows: [
        ['status', substitute.status],
        ['version', substitute.version],
        ['weight on the same outcomes', substitute.weight_shared],
        ['last level', substitute.last?.level ?? null],
        ['at', substitute.last?.tick_at ?? null],
        ['ticks at which both have a level', substitute.ticks_in_common],
      ],
    }),
    levelChart({
      description: 'Levels of the index and of its substitute over time',
      domain: { from: Date.parse(from) * 1000, to: Date.parse(to) * 1000 },
      lines: [
        { name: 'index', look: 'main', points: points(({ level_before }) => level_before) },
        { name: 'substitute', look: 'other', points: points(({ level_after }) => level_after) },
      ],
      marks: [],
      ribbons: [],
      milestones: [],
      table: 'substitute',
    }),
    legend([
      { sample: lineSample('main'), text: 'index' },
      { sample: lineSample('other'), text: 'substitute' },
    ]),
  )
}

function unlistedNote(unlisted: number): string | null {
  return unlisted === 0 ? null : `${unlisted} more are not listed.`
}
