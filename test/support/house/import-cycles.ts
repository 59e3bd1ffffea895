/** Groups of files that import each other, by Tarjan's algorithm; a file's imports are paths too. */
export function importCycles(imports: ReadonlyMap<string, readonly string[]>): string[][] {
  const order = new Map<string, number>()
  const low = new Map<string, number>()
  const stack: string[] = []
  const groups: string[][] = []
  const visit = (path: string): void => {
    order.set(path, order.size)
    low.set(path, order.get(path)!)
    stack.push(path)
    for (const target of imports.get(path) ?? []) {
      if (!imports.has(target)) continue
      if (!order.has(target)) visit(target)
      if (stack.includes(target)) low.set(path, Math.min(low.get(path)!, low.get(target)!))
    }
    if (low.get(path) !== order.get(path)) return
    const group = stack.splice(stack.indexOf(path))
    if (group.length > 1 || imports.get(path)!.includes(path)) groups.push(group)
  }
  for (const path of imports.keys()) if (!order.has(path)) visit(path)
  return groups
}
