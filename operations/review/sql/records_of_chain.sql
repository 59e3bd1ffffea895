-- The revisions of one assessment up to that of a record, each with the act that made it.
--
-- template  {{rows}}  market_rating_history or severity_assessment_history
--           {{id}}    the column that names a record
-- params    $id       VARCHAR
-- returns   the first revision first; none where there is no such record
select h.*
from {{rows}} as h
join {{rows}} as r on r.chain_id = h.chain_id and h.revision <= r.revision
where r.{{id}} = $id
order by h.revision;
