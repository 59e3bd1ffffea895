-- The newest visible revision of the assessment that a record belongs to.
--
-- template  {{rows}}  market_rating_history or severity_assessment_history
--           {{id}}    the column that names a record
-- params    $id       VARCHAR
-- returns   at most one row
select h.*
from {{rows}} as h
where h.chain_id = (select any_value(chain_id) from {{rows}} where {{id}} = $id)
order by h.revision desc
limit 1;
