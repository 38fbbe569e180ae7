ALTER TABLE drafts ADD COLUMN basis_email TEXT;
UPDATE drafts SET basis_email = json_extract(doc, '$.basis.customerEmail');
CREATE INDEX drafts_by_basis ON drafts (tenant_id, basis_email, created_at, id) WHERE basis_email IS NOT NULL;
