import { invariant } from '../../primitives/errors.ts'
import {
  accountBucket,
  keyBucket,
  PAGES,
  RATE_TIER_NAMES,
  type RateClass,
  type RateClassName,
  type RateTierName,
  UNVERIFIED,
  UNVERIFIED_CANCEL_ALL,
} from '../../protocol/limits.ts'
import type { RateLimits } from './handler.ts'
import { createRateLimiter, type RateLimiter, type RateVerdict, type TokensLeft } from './rate-limiter.ts'

/** The key that a request is charged to, its account, and the tier of its limits. */
export type Spender = { readonly key_id: string; readonly account_id: string; readonly limit_tier: RateTierName }

/** Token buckets of every limit class: one per address, one per key, and one for all keys of an account. */
export type ClassLimiters = {
  takeAnonymous(limit_class: RateClassName, address: string, cost: number, now_ms: number): RateVerdict
  /** Returns the key's verdict, unless the bucket shared by all keys of its account is empty. */
  takeKeyed(limit_class: RateClassName, spender: Spender, cost: number, now_ms: number): RateVerdict
  /** Takes tokens of a key and its account, or of an address, on credit if there are too few; returns those of the key. */
  charge(limit_class: RateClassName, spender: Spender | string, cost: number, now_ms: number): TokensLeft
  /** Returns tokens to the key that spent them, or to the address. */
  giveBack(limit_class: RateClassName, spender: Spender | string, cost: number): void
  /** Buckets of an address for requests whose signature is not verified yet. */
  readonly unverified: Readonly<Record<UnverifiedClass, RateLimiter>>
  /** Buckets of an address for pages. */
  readonly pages: RateLimiter
}
export type UnverifiedClass = 'unverified' | 'unverified_cancel_all'

type Keyed = { readonly key: RateLimiter; readonly account: RateLimiter }
type Buckets = {
  readonly anonymous: RateLimiter | null
  readonly tiers: Readonly<Record<RateTierName, Keyed>>
}

/** Creates the buckets of every class and tier. An account that changes its tier starts with full buckets. */
export function createClassLimiters(limits: RateLimits): ClassLimiters {
  const classes = new Map<string, Buckets>(
    Object.entries(limits).map(([name, { anonymous, keyed }]) => [
      name,
      { anonymous: anonymous === null ? null : createRateLimiter(anonymous), tiers: tiersOf(keyed) },
    ]),
  )
  const { rate, burst } = UNVERIFIED
  const pages = createRateLimiter({ rate: PAGES.rate, burst: PAGES.burst })
  return {
    unverified: {
      unverified: createRateLimiter({ rate, burst }),
      unverified_cancel_all: createRateLimiter(UNVERIFIED_CANCEL_ALL),
    },
    pages,
    takeAnonymous: (limit_class, address, cost, now_ms) => {
      const { anonymous } = classes.get(limit_class)!
      invariant(anonymous !== null, `callers without a key spend no ${limit_class} tokens`)
      return anonymous.take(address, cost, now_ms)
    },
    takeKeyed: (limit_class, { key_id, account_id, limit_tier }, cost, now_ms) => {
      const { key, account } = classes.get(limit_class)!.tiers[limit_tier]
      const of_key = key.take(key_id, cost, now_ms)
      if (!of_key.admitted) return of_key
      const of_account = account.take(account_id, cost, now_ms)
      return of_account.admitted ? of_key : of_account
    },
    charge: (limit_class, spender, cost, now_ms) => {
      const { anonymous, tiers } = classes.get(limit_class)!
      if (typeof spender === 'string') return anonymous!.charge(spender, cost, now_ms)
      const { key, account } = tiers[spender.limit_tier]
      account.charge(spender.account_id, cost, now_ms)
      return key.charge(spender.key_id, cost, now_ms)
    },
    giveBack: (limit_class, spender, cost) => {
      const { anonymous, tiers } = classes.get(limit_class)!
      if (typeof spender === 'string') return anonymous?.giveBack(spender, cost)
      const { key, account } = tiers[spender.limit_tier]
      key.giveBack(spender.key_id, cost)
      account.giveBack(spender.account_id, cost)
    },
  }
}

function tiersOf(keyed: RateClass): Buckets['tiers'] {
  const tiers = RATE_TIER_NAMES.map((tier) => {
    const of_key = keyBucket(keyed, tier)
    return [tier, { key: createRateLimiter(of_key), account: createRateLimiter(accountBucket(of_key)) }]
  })
  return Object.fromEntries(tiers) as Buckets['tiers']
}
