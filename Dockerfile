# The server for production. `docker build -t crmkit .`, or `docker compose up` (compose.yaml).
FROM node:26-bookworm AS build
WORKDIR /src
COPY . .
# `--build-arg CRMKIT_COMMIT=$(git rev-parse HEAD)`: the image has no repository that could say it.
ARG CRMKIT_COMMIT
RUN deploy/steps.sh build /app

FROM node:26-bookworm-slim
RUN apt-get update && apt-get install -y --no-install-recommends openssl && rm -rf /var/lib/apt/lists/*
COPY --from=build /app /app
COPY deploy/steps.sh /app/deploy/steps.sh
# The data of SQLite and attachments; a volume takes its owner from here.
RUN install -d -o node -g node -m 700 /var/lib/crmkit /etc/crmkit
USER node
ENV CRM_HOST=0.0.0.0 CRM_DATA_DIR=/var/lib/crmkit
EXPOSE 3000
ENTRYPOINT ["/app/deploy/steps.sh"]
CMD ["all"]
