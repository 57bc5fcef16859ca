import type { Business } from '../../accounts/index.ts'
import { type Allowances, createAllowances } from '../../services/http/index.ts'
import { type Option, withPlatform } from '../command.ts'
import { businessOf } from '../owner.ts'

export const addressOption: Option = {
  meaning: 'host:port, such as 10.0.0.5:8080, erp.lan:443 or 10.0.0.5:*.',
  required: true,
}

/** Works on what is open for the scripts of the business that a command means. */
export function withAllowances(
  name: string | undefined,
  work: (allowances: Allowances, business: Business) => Promise<void>,
): Promise<number> {
  return withPlatform(async (platform) => {
    const business = await businessOf(platform, name)
    await work(createAllowances(platform), business)
    return 0
  })
}
