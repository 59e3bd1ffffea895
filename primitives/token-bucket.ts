/** Limit of how often something may happen: `tokens` return evenly every `window_ms`, and `burst` may be used at once. */
export type BucketRule = { readonly tokens: number; readonly window_ms: number; readonly burst: number }

/**
 * A token bucket, full at first. Instants are milliseconds on any one clock; a clock that steps back refills nothing.
 * Counts in parts of a token (`window_ms` make one), so whole numbers in a rule and whole instants give exact answers.
 */
export class TokenBucket {
  readonly #rule: BucketRule
  readonly #full: number
  #parts: number
  #at_ms = Number.NEGATIVE_INFINITY

  constructor(rule: BucketRule) {
    this.#rule = rule
    this.#full = rule.burst * rule.window_ms
    this.#parts = this.#full
  }

  /** Takes `cost` tokens; false if fewer are left, and then takes none. */
  take(now_ms: number, cost = 1): boolean {
    this.#refill(now_ms)
    const parts = cost * this.#rule.window_ms
    if (parts > this.#parts) return false
    this.#parts -= parts
    return true
  }

  /** Returns tokens that were taken; a bucket never holds more than its burst. */
  giveBack(cost: number): void {
    this.#parts = Math.min(this.#full, this.#parts + cost * this.#rule.window_ms)
  }

  /** Takes `cost` tokens, on credit if fewer are left, and returns the whole milliseconds until they may be used. */
  reserve(now_ms: number, cost = 1): number {
    this.#refill(now_ms)
    this.#parts -= cost * this.#rule.window_ms
    return this.waitMs(0)
  }

  /** Whole milliseconds until `cost` tokens are left, counted from the last call with an instant; 0 if they are. */
  waitMs(cost: number): number {
    const missing = cost * this.#rule.window_ms - this.#parts
    return missing <= 0 ? 0 : Math.ceil(missing / this.#rule.tokens)
  }

  /** Milliseconds until the bucket is full, counted from the last call with an instant. */
  fullInMs(): number {
    return (this.#full - this.#parts) / this.#rule.tokens
  }

  /** Whole tokens left. */
  remaining(): number {
    return Math.floor(this.#parts / this.#rule.window_ms)
  }

  /** Whether every token is there, as in a new bucket. */
  isFull(now_ms: number): boolean {
    this.#refill(now_ms)
    return this.#parts === this.#full
  }

  #refill(now_ms: number): void {
    if (now_ms <= this.#at_ms) return
    this.#parts = Math.min(this.#full, this.#parts + (now_ms - this.#at_ms) * this.#rule.tokens)
    this.#at_ms = now_ms
  }
}
