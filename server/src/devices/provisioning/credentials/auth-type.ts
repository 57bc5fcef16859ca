export const authTypes = ['token', 'password', 'certificate'] as const

/** The method by which a device authenticates. */
export type AuthType = (typeof authTypes)[number]
