import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api'

/** The DuckDB that feeds memory: it reads whole tables once at the start, then the few rows of each new commit. */
export type IntakeEngine = {
  /** A connection of one table: a connection runs one query at a time. */
  connect(): Promise<DuckDBConnection>
  close(): void
}

/** Its queries run on the engine's own threads; what comes back to the event loop is bounded by what memory keeps. */
export async function openIntakeEngine(): Promise<IntakeEngine> {
  const instance = await DuckDBInstance.create(':memory:', {
    autoinstall_known_extensions: 'false',
    autoload_known_extensions: 'false',
    threads: '2',
    memory_limit: '1GB',
  })
  const connections: DuckDBConnection[] = []
  return {
    async connect() {
      const connection = await instance.connect()
      await connection.run("set timezone = 'UTC'")
      connections.push(connection)
      return connection
    },
    close() {
      for (const connection of connections) connection.closeSync()
      instance.closeSync()
    },
  }
}
