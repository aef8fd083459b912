# The service in a container. docs/container.md says how to run it; compose.yaml does. A release starts from the digests
# that the tags name when it is made (.github/workflows/release.yml).

# Node's full image has what compiles SQLite and node-pty: Python, make, a C++ compiler, and Node's headers.
FROM docker.io/library/node:24-trixie AS build
WORKDIR /source
COPY . .
# What was downloaded and compiled is kept for the next build, but not as a layer of 1 GB.
ENV npm_config_store_dir=/var/cache/pnpm
RUN --mount=type=cache,target=/var/cache/pnpm --mount=type=cache,target=/root/.npm \
    node packages/workspace/src/stage.mjs /stage && rm -rf /source/*

FROM docker.io/library/node:24-trixie-slim
LABEL org.opencontainers.image.title="Session Manager" \
      org.opencontainers.image.description="Finds, reads, searches, exports and measures the sessions of a coding agent." \
      org.opencontainers.image.licenses="MIT" \
      org.opencontainers.image.source="https://github.com/session-manager/session-manager"

# The user who runs the service owns none of this and cannot change it.
COPY --from=build /stage /opt/session-manager
COPY apps/headless/container /opt/session-manager/container
# Any user may be named when the container starts, and a new volume takes the permissions of the folder it covers.
RUN ln -s /opt/session-manager/dist/main.js /usr/local/bin/session-cli && \
    mkdir --mode=1777 /config /data

# Whoever the user is: terminals start here, and what is deleted goes to the trash here. The C library returns memory
# that the service no longer needs (docs/service.md).
ENV HOME=/data \
    MALLOC_TRIM_THRESHOLD_=131072 \
    NODE_ENV=production \
    SESSION_MANAGER_AGENT_HOME=/agent-home \
    SESSION_MANAGER_BIND=0.0.0.0 \
    SESSION_MANAGER_CONFIG_DIR=/config \
    SESSION_MANAGER_DATA_DIR=/data \
    SESSION_MANAGER_PORT=52131
EXPOSE 52131
VOLUME ["/config", "/data"]
# The user "node" of the base image. Sessions are readable by their owner only: --user, or user in compose.yaml.
USER 1000:1000
WORKDIR /data
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=30s --timeout=5s --start-period=60s --retries=3 \
    CMD ["node", "/opt/session-manager/container/healthcheck.mjs"]
ENTRYPOINT ["/opt/session-manager/container/init.sh", "session-cli"]
