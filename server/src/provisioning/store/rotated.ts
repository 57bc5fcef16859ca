/** The hash of the credential that an identity has. */
export const current = 'coalesce(i.token_hash, i.password_hash, i.certificate_given, i.certificate)'

/** A rotation is of the credential that the identity had when it was opened, and of no other. */
export const isRotated = `r.connector_id = i.connector_id and r.identity = i.identity
  and r.provisioned_at = i.provisioned_at and r.replaces = ${current}`
