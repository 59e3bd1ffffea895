import { afterAll, describe, expect, test } from 'vitest'
import { openMemoryDatabase } from '../../../warehouse/duckdb/memory-database.ts'
import { guardSql } from '../../../warehouse/read/guard-sql.ts'

const database = await openMemoryDatabase()
afterAll(database.close)
const guard = (sql: string) => guardSql(database.connection, sql)

describe('one SELECT over the views passes, with the views it reads', () => {
  test.each([
    ['select count(*) from market_observation', ['market_observation']],
    ['SELECT * FROM Market_Quote m JOIN event_history e USING (event_id)', ['market_quote', 'event_history']],
    ['with a as (select * from market) select * from a, index_version', ['market', 'index_version']],
    ['with market as (select 1 as x) select * from market', []],
    ['from market', ['market']],
    ['table market', ['market']],
    ['values (1), (2)', []],
    ['(select 1) union all (select 2) order by 1', []],
    ['select * from range(3), unnest([1]), generate_series(1, 2)', []],
    ['select (select max(bid) from market_quote), exists (select 1 from event)', ['market_quote', 'event']],
    [
      'select * from market_quote a asof join market_quote b on a.market_id = b.market_id and a.source_at >= b.source_at',
      ['market_quote'],
    ],
    ['with recursive r(n) as (select 1 union all select n + 1 from r where n < 5) select * from r', []],
    [
      'select sum(bid) over (partition by venue_id order by source_at) from market_quote qualify row_number() over () = 1',
      ['market_quote'],
    ],
    [
      "select bid::decimal(5,2), [x for x in [1]], {'a': 1}, list_transform([1], lambda x: x + 1) from market_quote using sample 10",
      ['market_quote'],
    ],
    ["select * from (pivot market_quote on venue_id in ('a') using sum(bid))", ['market_quote']],
    ['select * exclude (bid) from market_quote order by all limit 5 offset 1', ['market_quote']],
    ["select 'insert into t; drop table t; read_parquet(1)' as text", []],
  ])('%s', async (sql, views) => {
    expect((await guard(sql)).views).toEqual(views)
  })
})

describe('everything else is refused in one sentence that names it', () => {
  test.each([
    ['insert into market values (1)', 'the statement INSERT'],
    ["update market set title = ''", 'the statement UPDATE'],
    ['delete from market', 'the statement DELETE'],
    ['create table x as select 1', 'the statement CREATE'],
    ['drop view market', 'the statement DROP'],
    ["copy (select 1) to 'x.csv'", 'the statement COPY'],
    ["attach 'x.db'", 'the statement ATTACH'],
    ['install httpfs', 'the statement INSTALL'],
    ['load json', 'the statement LOAD'],
    ['set memory_limit = 1', 'the statement SET'],
    ['pragma version', 'the statement PRAGMA'],
    ['call pragma_version()', 'the statement CALL'],
    ['explain select 1', 'the statement EXPLAIN'],
    ["/* a */ -- b\n export database 'x'", 'the statement EXPORT'],
    ['select 1; select 2', '2 statements'],
    ['select 1; drop view market', 'a second statement'],
    ['select * from (pivot market on venue_id)', 'a PIVOT without its values'],
    ['(/* a */ pivot market on venue_id using count(*))', 'a PIVOT without its values'],
    ['with a as (pivot market on venue_id) from a', 'a PIVOT without its values'],
    ['', '0 statements'],
    ['-- nothing', '0 statements'],
    ['sel ect', 'a syntax error'],
    ['describe market', 'a DESCRIBE, SHOW or SUMMARIZE'],
    ['show tables', 'a DESCRIBE, SHOW or SUMMARIZE'],
    ['summarize market', 'a DESCRIBE, SHOW or SUMMARIZE'],
    ["from read_parquet('x')", 'the table function read_parquet'],
    ["select * from READ_CSV('x')", 'the table function read_csv'],
    ["select (select max(content) from read_text('x'))", 'the table function read_text'],
    ["select 1 where 1 in (select 1 from glob('*'))", 'the table function glob'],
    ["with a as (from parquet_metadata('x')) from a", 'the table function parquet_metadata'],
    ["from query('select 1')", 'the table function query'],
    ["from query_table('market')", 'the table function query_table'],
    ['from duckdb_settings()', 'the table function duckdb_settings'],
    ["select * from json_execute_serialized_sql('x')", 'the table function json_execute_serialized_sql'],
    ["select getenv('HOME')", 'the function getenv'],
    ["select current_setting('allowed_paths')", 'the function current_setting'],
    ["select x from (values (getvariable('a'))) t(x)", 'the function getvariable'],
    ["select count(*) filter (where write_log('x') is null) from market", 'the function write_log'],
    ['select market_id.getenv() from market', 'the function getenv'],
    ['with "a.parquet" as (select 1) select * from "a.parquet"', 'a common table expression named "a.parquet"'],
    ['select * from market at (version => 1)', 'an AT clause on market'],
  ])('%s', async (sql, seen) => {
    const refusal = expect.stringContaining(`sql has ${seen}`)
    await expect(guard(sql)).rejects.toMatchObject({ code: 'VALIDATION_SQL_REFUSED', message: refusal })
  })

  test.each([
    ["select * from 'x.parquet'", 'x.parquet'],
    ["select * from 'http://host/y.csv'", 'http://host/y.csv'],
    ['select * from market_quote__visible', 'market_quote__visible'],
    ['select * from information_schema.tables', 'information_schema.tables'],
    ['select * from duckdb_views', 'duckdb_views'],
    ['select * from main.market', 'main.market'],
    ['select * from nothing', 'nothing'],
    ['select x from (with foo as (select 1 as x) select * from foo), foo', 'foo'],
  ])('%s: a name that is no view lists the views', async (sql, name) => {
    const refusal = expect.stringMatching(
      /^sql reads ".*"(?: \(did you mean \w+\?\))?; allowed: the views market_quote, market_observation, .*_history$/,
    )
    await expect(guard(sql)).rejects.toMatchObject({ message: refusal, facts: { seen: name } })
  })
})

test.each([
  ['select 1;', 'select 1'],
  ['select 1 ; ; -- bye', 'select 1 '],
  ["select ';' as x", "select ';' as x"],
  ["select ';' as x; /* ; */", "select ';' as x"],
])('%s loses its terminator and nothing else', async (sql, text) => {
  expect((await guard(sql)).text).toBe(text)
})
