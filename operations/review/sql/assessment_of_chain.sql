-- The newest visible revision of one assessment, by its chain.
--
-- template  {{rows}}   market_rating_history or severity_assessment_history
-- params    $chain_id  VARCHAR
-- returns   at most one row
select *
from {{rows}}
where chain_id = $chain_id
order by revision desc
limit 1;
