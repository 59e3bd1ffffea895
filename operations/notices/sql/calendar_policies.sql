-- Policies that were put in force.
--
-- returns  one row a version, in no order
select version, record_hash, expires_at, published_at
from governance_policy;
