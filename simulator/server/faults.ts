/** A fault of one answer or message, injected by whoever runs the server. */
export type HttpFault =
  /** The answer comes after a real wait. */
  | { readonly kind: 'stall'; readonly wait_ms: number }
  /** The body is cut in the middle. */
  | { readonly kind: 'malformed' }
  /** The venue refuses with 429 and states the wait. */
  | { readonly kind: 'rate_limit'; readonly retry_after_seconds: number }
  /** Any other status, with an error for a body. */
  | { readonly kind: 'status'; readonly status: number }
  /** The connection is cut without an answer. */
  | { readonly kind: 'reset' }

type StreamFault =
  /** The message is never sent. */
  | { readonly kind: 'drop' }
  | { readonly kind: 'malformed' }
  /** The connection is cut instead. */
  | { readonly kind: 'disconnect' }

/** Injected faults: each is used once, in the order of injection. */
export type Faults = {
  /** Injects a fault into the next request whose path begins with `path`. */
  onRequest(path: string, fault: HttpFault): void
  /** Injects a fault into the next message on any connection, after `after` good ones. */
  onMessage(fault: StreamFault, after?: number): void
  takeHttp(path: string): HttpFault | null
  takeStream(): StreamFault | null
}

/** Creates an empty set of faults. */
export function createFaults(): Faults {
  const http: { readonly path: string; readonly fault: HttpFault }[] = []
  const stream: { readonly fault: StreamFault; after: number }[] = []
  return {
    onRequest: (path, fault) => void http.push({ path, fault }),
    onMessage: (fault, after = 0) => void stream.push({ fault, after }),
    takeHttp(path) {
      const index = http.findIndex((one) => path.startsWith(one.path))
      return index < 0 ? null : http.splice(index, 1)[0]!.fault
    },
    takeStream() {
      const [first] = stream
      if (first === undefined) return null
      if (first.after > 0) {
        first.after -= 1
        return null
      }
      return stream.shift()!.fault
    },
  }
}
