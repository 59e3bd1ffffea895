import { MICROS_PER_DAY, MICROS_PER_SECOND, type Micros, utcDay } from '../../primitives/instants.ts'
import { checkOptions, endOf, type WorldOptions } from './options.ts'
import { createRandom } from './random.ts'
import { type RulesText, rulesOf } from './rules.ts'
import { type EventSchedule, FATES, type Fate, scheduleOf } from './schedule.ts'
import { BINARY_TOPICS, MULTI_TOPICS, NESTED_TOPICS } from './topics.ts'

/** News that moves several events at one instant. */
type Shock = {
  readonly at: Micros
  /** Change of log-odds, in millionths, of each event it touches. */
  readonly pushes: readonly { readonly event: number; readonly push: number }[]
}

const PER_DAY = 3
const EVENTS_MAX = 4
const PUSH = { low: 250_000, high: 900_000 } as const

/**
 * Plans the news of a whole world in time order: about three a day, each touching up to four events, mostly in one direction.
 */
function planShocks(options: WorldOptions, events: number): Shock[] {
  const random = createRandom(options.seed, 'shocks')
  const seconds = (endOf(options) - options.start) / MICROS_PER_SECOND
  const shocks = Array.from({ length: options.days * PER_DAY }, () => {
    const at = options.start + random.below(seconds) * MICROS_PER_SECOND
    const touched = new Set(Array.from({ length: 1 + random.below(EVENTS_MAX) }, () => random.below(events)))
    const direction = random.chance(500_000) ? 1 : -1
    const pushes = [...touched].map((event) => {
      const sign = random.chance(800_000) ? direction : -direction
      return { event, push: sign * random.between(PUSH.low, PUSH.high) }
    })
    return { at, pushes }
  })
  return shocks.sort((a, b) => a.at - b.at)
}

/**
 * Kind of an event's markets: one question; several of which exactly one comes true; one question by a first and by a later
 * date, where the later one is never less likely.
 */
type EventKind = 'binary' | 'multi' | 'nested'

export type EventPlan = {
  readonly ordinal: number
  readonly kind: EventKind
  readonly code: string
  readonly title: string
  readonly category: string
  readonly fate: Fate
  readonly schedule: EventSchedule
  readonly markets: readonly MarketPlan[]
}

export type MarketPlan = {
  /** Ordinal among all markets of the world. */
  readonly ordinal: number
  readonly event: number
  /** Ordinal among the markets of its event. */
  readonly index: number
  readonly question: string
  /** Label within its event: a name, a date, or Yes if the event has one market. */
  readonly label: string
  /** Its rules; null: the venue's short text. */
  readonly rules: RulesText | null
  /** Time the venue first described it: before the world. */
  readonly created_at: Micros
  readonly opens_at: Micros
  /** Scheduled close in the venue's text. */
  readonly scheduled_close_at: Micros
}

/** Plan of a world without its trading: the same for every venue that shows it. */
export type WorldPlan = {
  readonly options: WorldOptions
  readonly events: readonly EventPlan[]
  readonly markets: readonly MarketPlan[]
  readonly shocks: readonly Shock[]
}

const KINDS: readonly EventKind[] = ['binary', 'multi', 'nested', 'binary', 'binary']
const NESTED_DAYS = [90, 181] as const

/** Plans a world. @throws {ServiceError} VALIDATION_USAGE_INVALID names the option that is out of range */
export function planWorld(options: WorldOptions): WorldPlan {
  checkOptions(options)
  const events: EventPlan[] = []
  let markets = 0
  while (markets < options.markets) {
    const event = planEvent(options, events.length, markets)
    events.push(event)
    markets += event.markets.length
  }
  return {
    options,
    events,
    markets: events.flatMap((event) => event.markets),
    shocks: planShocks(options, events.length),
  }
}

function planEvent(options: WorldOptions, ordinal: number, first_market: number): EventPlan {
  const kind = kindOf(ordinal, options.markets - first_market)
  const fate = FATES[ordinal % FATES.length]!
  const schedule = scheduleOf(options, ordinal, fate)
  const { code, title, category, texts } = textsOf(kind, ordinal, options)
  const markets = texts.map(({ question, label, days }, index) => {
    const scheduled_close_at = schedule.closes_at ?? endOf(options) + days * MICROS_PER_DAY
    return {
      ordinal: first_market + index,
      event: ordinal,
      index,
      question,
      label,
      rules: options.rules === 'full' ? rulesOf(ordinal, question, scheduled_close_at) : null,
      created_at: Math.min(schedule.opens_at, options.start) - MICROS_PER_DAY,
      opens_at: schedule.opens_at,
      scheduled_close_at,
    }
  })
  return { ordinal, kind, code, title, category, fate, schedule, markets }
}

/** Returns the next kind in turn, or a single market if too few are left for it. */
function kindOf(ordinal: number, left: number): EventKind {
  const kind = KINDS[ordinal % KINDS.length]!
  return left < { binary: 1, multi: 3, nested: 2 }[kind] ? 'binary' : kind
}

type Texts = {
  readonly code: string
  readonly title: string
  readonly category: string
  readonly texts: readonly { readonly question: string; readonly label: string; readonly days: number }[]
}

function textsOf(kind: EventKind, ordinal: number, options: WorldOptions): Texts {
  const random = createRandom(options.seed, 'texts', ordinal)
  const code = (topic: { code: string }) => `${topic.code}${(options.first_number ?? 0) + ordinal}`
  if (kind === 'multi') {
    const topic = MULTI_TOPICS[random.below(MULTI_TOPICS.length)]!
    const texts = topic.labels.slice(0, 3).map((label) => ({ question: `${label}: ${topic.subject}`, label, days: 60 }))
    return { code: code(topic), title: topic.subject, category: topic.category, texts }
  }
  if (kind === 'nested') {
    const topic = NESTED_TOPICS[random.below(NESTED_TOPICS.length)]!
    const texts = NESTED_DAYS.map((days) => {
      const label = `by ${utcDay(endOf(options) + days * MICROS_PER_DAY)}`
      return { question: `Will ${topic.subject} ${label}?`, label, days }
    })
    return { code: code(topic), title: `When will ${topic.subject}?`, category: topic.category, texts }
  }
  const topic = BINARY_TOPICS[random.below(BINARY_TOPICS.length)]!
  const days = random.between(20, 120)
  const question = `Will ${topic.subject} in period ${ordinal + 1}?`
  return { code: code(topic), title: question, category: topic.category, texts: [{ question, label: 'Yes', days }] }
}
