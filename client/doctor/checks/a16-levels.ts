import type { Static } from 'typebox'
import { type Decimal, formatDecimal, parseDecimal, SCALE, sumDecimals, ZERO } from '../../../primitives/decimal.ts'
import type { Constituent } from '../../../protocol/resources/constituent.ts'
import type { IndexInput, IndexObservation } from '../../../protocol/resources/index-observation.ts'
import type { IndexVersion } from '../../../protocol/resources/index-version.ts'
import type { Answer } from '../asker.ts'
import type { Check, CheckContext } from '../check.ts'
import type { Side } from '../difference.ts'
import { sampledLevels } from './levels-sampled.ts'

type Input = Static<typeof IndexInput>
const USABLE = ['settled', 'fresh', 'stale']
const COVERED = ['settled', 'fresh']
/** Contributions have 12 fraction digits, so their sum may miss the level by one unit of its last digit. */
const LEVEL_UNIT = parseDecimal('0.0001', 'unit')

/** A16: level, coverage, state and reasons follow from the published inputs; weights and caps equal the definition. */
export const LEVELS_AGREE: Check = {
  id: 'A16',
  title: 'Levels',
  compares:
    'level, coverage, missing inputs, state and weights of a level, and the same from its inputs and its version',
  share: 3,
  async run(context) {
    for await (const level of sampledLevels(context)) {
      compareInputs(context, level)
      compareState(context, level)
      await compareVersion(context, level)
    }
  },
}

function compareInputs({ find }: CheckContext, { request, data }: Answer<IndexObservation>): void {
  const inputs = data.inputs ?? []
  const made = (field: string, value: unknown): Side => ({ request: `${request}: ${field} from inputs`, value })
  const stated = (value: unknown): Side => ({ request, value })
  const whole = weightOf(inputs, () => true)
  if (inputs.length === 0 || data.underlying_quality_state === 'stale') return
  const coverage = weightOf(inputs, (input) => COVERED.includes(input.freshness_class)).div(whole)
  find.same(
    'coverage_ratio',
    stated(data.coverage_ratio),
    made('coverage_ratio', formatDecimal(coverage, SCALE.coverage_ratio)),
  )
  const missing = inputs
    .filter(({ freshness_class }) => !USABLE.includes(freshness_class))
    .map(({ constituent_id }) => constituent_id)
  find.equal(
    stated([...data.missing_constituent_ids].sort()),
    made('missing_constituent_ids', missing.sort()),
    new Set(),
    'missing_constituent_ids',
  )
  if (data.level === null) return
  const sum = sumDecimals(
    inputs.map(({ contribution }) => (contribution === null ? ZERO : parseDecimal(contribution, 'contribution'))),
  )
  const distance = sum.minus(parseDecimal(data.level, 'level')).abs()
  find.holds(
    distance.lte(LEVEL_UNIT),
    'level',
    stated(data.level),
    made('sum of contributions', formatDecimal(sum, SCALE.level)),
  )
}

function weightOf(inputs: readonly Input[], keep: (input: Input) => boolean): Decimal {
  return sumDecimals(inputs.filter(keep).map(({ target_weight }) => parseDecimal(target_weight, 'target_weight')))
}

/** Every state other than valid has a reason, of the level or of an input. */
function compareState({ find }: CheckContext, { request, data }: Answer<IndexObservation>): void {
  const state = data.underlying_quality_state ?? data.quality_state
  if (state === 'valid' || data.quality_state === 'corrected') return
  find.holds(
    data.reason_codes.length > 0,
    'reason_codes',
    { request, value: data.reason_codes },
    { request: `${request}: quality_state`, value: state },
  )
}

async function compareVersion(context: CheckContext, level: Answer<IndexObservation>): Promise<void> {
  const { ask, find, world } = context
  const { index_id, index_version_id, inputs = [], coverage_ratio, underlying_quality_state } = level.data
  const path = `/indexes/${index_id}/versions/${index_version_id}`
  const as_of = world.at
  const [version, constituents] = await Promise.all([
    ask.get<IndexVersion>(path, { as_of }),
    ask.list<Constituent>(`${path}/constituents`, { as_of }),
  ])
  if (version.status !== 200 || constituents.status !== 200) return
  const weights = (list: readonly { constituent_id: string; target_weight: string }[]) =>
    Object.fromEntries(list.map(({ constituent_id, target_weight }) => [constituent_id, target_weight]))
  const of_constituents = { request: constituents.request, value: weights(constituents.data) }
  find.equal(
    { request: `${level.request}: inputs`, value: weights(inputs) },
    of_constituents,
    new Set(),
    'target_weight',
  )
  const sum = sumDecimals(constituents.data.map(({ target_weight }) => parseDecimal(target_weight, 'target_weight')))
  find.same(
    'weight_sum',
    { request: version.request, value: version.data.weight_sum },
    { request: `${constituents.request}: sum`, value: sum.toFixed() },
  )
  const { caps } = version.data.definition as { caps?: { single?: string } }
  for (const constituent of constituents.data) compareCap(context, constituents.request, constituent, caps?.single)
  const minimum = version.data.minimum_coverage_ratio
  if (
    coverage_ratio === null ||
    underlying_quality_state !== 'valid' ||
    parseDecimal(coverage_ratio, 'coverage').gte(parseDecimal(minimum, 'minimum'))
  )
    return
  find.holds(
    false,
    'underlying_quality_state',
    { request: level.request, value: underlying_quality_state },
    { request: version.request, value: `coverage ${coverage_ratio} < ${minimum}` },
  )
}

/** A cap served is the lower of the constituent's own and the version's single cap, and no weight exceeds it. */
function compareCap(
  { find }: CheckContext,
  request: string,
  constituent: Constituent,
  single: string | undefined,
): void {
  const { constituent_id, weight_cap, target_weight, definition } = constituent
  const side = (value: unknown): Side => ({ request: `${request} (${constituent_id})`, value })
  const caps = [definition.weight_cap, single].filter((cap) => typeof cap === 'string')
  const [lower] = caps.sort((a, b) => parseDecimal(a, 'cap').cmp(parseDecimal(b, 'cap')))
  if (lower !== undefined)
    find.same('weight_cap', side(weight_cap), { request: `${request}: definition`, value: lower })
  if (weight_cap === null) return
  const within = parseDecimal(target_weight, 'target_weight').lte(parseDecimal(weight_cap, 'weight_cap'))
  find.holds(within, 'weight_cap', side(weight_cap), side(target_weight))
}
