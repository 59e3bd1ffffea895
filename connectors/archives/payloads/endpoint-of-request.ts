/** Returns the endpoint whose documented path a request has, with any host and version before it; null if none has it. */
export function endpointOfRequest(request: string | null, endpoints: readonly string[]): string | null {
  if (request === null) return null
  if (endpoints.includes(request)) return request
  const path = request
    .replace(/^[A-Z]+\s+/, '')
    .replace(/^[a-z]+:\/\/[^/]*/i, '')
    .replace(/[?#].*$/s, '')
    .replace(/\/$/, '')
  const found = endpoints.filter((endpoint) => {
    const template = /^[A-Z]+ (\/.*)$/.exec(endpoint)?.[1]
    if (template === undefined) return false
    const parts = template.replaceAll(/[.*+?^$()|[\]\\]/g, '\\$&').replaceAll(/\{[^}]+\}/g, '[^/]+')
    return new RegExp(`${parts}$`).test(path)
  })
  // The longest path is the most specific one; of two alike the one with fewer variables.
  const variables = (endpoint: string) => endpoint.split('{').length
  const depth = (endpoint: string) => endpoint.split('/').length
  return found.sort((a, b) => depth(b) - depth(a) || variables(a) - variables(b))[0] ?? null
}
