/** Token bucket: `rate` a second, up to `burst` at once. */
export class TokenBucket {
  readonly #rate: number
  readonly #burst: number
  #tokens: number
  #at_ms: number

  constructor(limit: { readonly rate: number; readonly burst: number }, now_ms: number) {
    this.#rate = limit.rate
    this.#burst = limit.burst
    this.#tokens = limit.burst
    this.#at_ms = now_ms
  }

  /** Takes one token; false: none is left. */
  take(now_ms: number): boolean {
    this.#refill(now_ms)
    if (this.#tokens < 1) return false
    this.#tokens -= 1
    return true
  }

  /** Reports whether the bucket is full, and so equal to a new one. */
  isFull(now_ms: number): boolean {
    this.#refill(now_ms)
    return this.#tokens === this.#burst
  }

  #refill(now_ms: number): void {
    const earned = (Math.max(0, now_ms - this.#at_ms) * this.#rate) / 1000
    this.#tokens = Math.min(this.#burst, this.#tokens + earned)
    this.#at_ms = now_ms
  }
}
