/** The method by which a device authenticates. */
export type AuthType = 'token' | 'password' | 'certificate'

export const authTypes: readonly AuthType[] = ['token', 'password', 'certificate']
