/**
 * Follows the names that the entries export through all modules, and marks in each statement those that are reached (`kept`).
 * @param entries    paths of modules that are reached whole
 * @param readModule returns the statements of a path: imports and exports with pairs of names, declarations with the names they use
 * @returns          modules by path, and what they reach of packages
 */
export function reachedNames(entries, readModule) {
  const modules = new Map()
  const packages = []
  const seen = new Set()
  const moduleOf = (path) => {
    if (!modules.has(path)) modules.set(path, readModule(path))
    return modules.get(path)
  }

  /** Keeps a name of a statement; false: it was kept before. */
  const keep = (statement, name) => {
    statement.kept ??= new Set()
    const is_new = !statement.kept.has(name)
    statement.kept.add(name)
    return is_new
  }
  const reachOther = (path, { target, specifier }, name) => {
    if (target === null) packages.push([path, specifier])
    else reachExport(target, name)
  }

  /** Reaches an export of a module; `*`: all of them. */
  function reachExport(path, name) {
    const key = `${path} ${name}`
    if (seen.has(key)) return
    seen.add(key)
    for (const statement of moduleOf(path).statements) {
      if (statement.kind === 'export') reachReexport(path, statement, name)
      else if (statement.kind === 'declaration') {
        const named = statement.declared.filter((declared) => name === '*' || declared === name)
        for (const declared of named) reachLocal(path, declared)
      }
    }
  }

  function reachReexport(path, statement, name) {
    for (const [inside, outside] of statement.names) {
      if (name !== '*' && outside !== '*' && outside !== name) continue
      keep(statement, outside)
      if (statement.specifier === undefined) reachLocal(path, inside)
      else reachOther(path, statement, inside === '*' ? name : inside)
    }
  }

  /** Reaches a name as a statement of the module uses it. */
  function reachLocal(path, name) {
    for (const statement of moduleOf(path).statements) {
      if (statement.kind === 'import') {
        for (const [inside, local] of statement.names)
          if (local === name && keep(statement, local)) reachOther(path, statement, inside)
      }
      if (statement.kind !== 'declaration' || !statement.declared.includes(name) || !keep(statement, name)) continue
      for (const used of statement.used.names) reachLocal(path, used)
      for (const used of statement.used.modules) reachOther(path, used, used.name)
    }
  }

  for (const entry of entries) reachExport(entry, '*')
  return { modules, packages }
}
