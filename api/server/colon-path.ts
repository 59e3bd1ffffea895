/** A path of the endpoint tables as the router writes it: `{order_id}` is `:order_id`. */
export function colonPath(path: string): string {
  return path.replaceAll(/\{([a-z_]+)\}/g, ':$1')
}
