/** Converts a path of the endpoint tables to the router's form: `{order_id}` becomes `:order_id`. */
export function colonPath(path: string): string {
  return path.replaceAll(/\{([a-z_]+)\}/g, ':$1')
}
