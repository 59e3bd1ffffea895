const LOOPBACK = /^(127(\.\d{1,3}){3}|::1|localhost)$/i
/** Host headers that no name server can point elsewhere: addresses, and names that resolve to this machine alone. */
const FIXED_HOST = /^(\d{1,3}(\.\d{1,3}){3}|\[[\da-f:.]+\]|([\w-]+\.)*localhost)(:\d{1,5})?$/i

/** Reports whether only processes of this machine reach what listens at a host. Pure. */
export function isLoopback(host: string): boolean {
  return LOOPBACK.test(host)
}

/**
 * Reports whether a request to a listener of this machine alone names a foreign host. A web page sends such requests when its name server
 * answers with a loopback address (DNS rebinding), and could read what is meant for this machine. Pure.
 */
export function isRebound(request: {
  readonly headers: { readonly host?: string | undefined }
  readonly socket: { readonly localAddress?: string | undefined }
}): boolean {
  const { host } = request.headers
  const is_local = isLoopback((request.socket.localAddress ?? '').replace(/^::ffff:/, ''))
  return is_local && host !== undefined && !FIXED_HOST.test(host)
}

/** Answer to a request whose host is foreign: its status and its sentence. Pure. */
export function reboundAnswer(host = ''): { readonly status: number; readonly error: string } {
  const error = `Host is ${JSON.stringify(host.slice(0, 200))}; allowed here: an address such as 127.0.0.1, or localhost`
  return { status: 421, error }
}
