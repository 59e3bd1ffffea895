/** Fault of one answer, handshake or message. */
export type Fault =
  /** It comes after a real wait, and on a websocket everything after it too. */
  | { readonly kind: 'stall'; readonly wait_ms: number }
  /** The venue refuses with 429 and states the wait. */
  | { readonly kind: 'rate_limit'; readonly retry_after_seconds: number }
  /** Any other status, with an error for a body. */
  | { readonly kind: 'status'; readonly status: number }
  /** Bytes that are neither text nor JSON. */
  | { readonly kind: 'garbage' }
  /** The text is cut in the middle. */
  | { readonly kind: 'cut' }
  /** Valid JSON of another form. */
  | { readonly kind: 'shape' }
  /** The connection is cut instead. */
  | { readonly kind: 'reset' }
  /** The message is never sent. */
  | { readonly kind: 'drop' }

/** Parts of a served venue that a fault can hit: an HTTP answer, the handshake of a websocket, one of its messages. */
export type FaultPlace = 'answer' | 'handshake' | 'message'

/** Decides what goes wrong; null: nothing. */
export type Faults = {
  /** @param path path and query of a request */
  onAnswer(path: string): Fault | null
  onHandshake(): Fault | null
  onMessage(): Fault | null
}

export const NO_FAULTS: Faults = { onAnswer: () => null, onHandshake: () => null, onMessage: () => null }

/** Faults by the names that people give them, and the places that each can hit. */
export const NAMED_FAULTS = {
  '429': { fault: { kind: 'rate_limit', retry_after_seconds: 1 }, places: ['answer', 'handshake'] },
  '500': { fault: { kind: 'status', status: 500 }, places: ['answer', 'handshake'] },
  '503': { fault: { kind: 'status', status: 503 }, places: ['answer', 'handshake'] },
  garbage: { fault: { kind: 'garbage' }, places: ['answer', 'message'] },
  cut: { fault: { kind: 'cut' }, places: ['answer', 'message'] },
  shape: { fault: { kind: 'shape' }, places: ['answer', 'message'] },
  // Longer than the connectors wait for the first byte.
  stall: { fault: { kind: 'stall', wait_ms: 20_000 }, places: ['answer', 'handshake', 'message'] },
  reset: { fault: { kind: 'reset' }, places: ['answer', 'handshake', 'message'] },
  drop: { fault: { kind: 'drop' }, places: ['message'] },
} as const satisfies Readonly<Record<string, { readonly fault: Fault; readonly places: readonly FaultPlace[] }>>

export type FaultName = keyof typeof NAMED_FAULTS

const GARBAGE = Buffer.from([0xff, 0xfe, 0x00, 0x3c, 0x68, 0x74, 0x6d, 0x6c, 0x80, 0xbf, 0x0a])
const OTHER_SHAPE = '{"api_version":9,"result":{"page":[],"total":"unknown"}}'

/** Returns the status with which a fault refuses; null: it does not refuse. */
export function statusOfFault(fault: Fault | null): number | null {
  if (fault?.kind === 'rate_limit') return 429
  return fault?.kind === 'status' ? fault.status : null
}

/** Returns the text of an answer or a message as a fault leaves it. */
export function spoiled(text: string, fault: Fault | null): string | Buffer {
  switch (fault?.kind) {
    case 'garbage':
      return GARBAGE
    case 'cut':
      return text.slice(0, Math.floor(text.length / 2))
    case 'shape':
      return OTHER_SHAPE
    default:
      return text
  }
}
