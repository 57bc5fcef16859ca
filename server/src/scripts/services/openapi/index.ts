export { createOpenApiServices } from './openapi-service.ts'
