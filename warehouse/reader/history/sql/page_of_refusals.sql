-- First refused acts of a page of their list.
--
-- template  {{columns}}  the columns of the table
--           {{rows}}     Parquet files
--           {{wanted}}   condition on rows: the subject, published_at at or before as_of, and the page's cursor
--           {{limit}}    records at most
-- rule      order (published_at, refusal_id) ascending
select {{columns}}
from {{rows}}
where {{wanted}}
order by published_at, refusal_id
limit {{limit}}
