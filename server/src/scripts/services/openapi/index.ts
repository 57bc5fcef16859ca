export { openapiLimits } from './limits.ts'
export { createOpenApiServices } from './openapi-service.ts'
