# The image of Mayfly, for amd64 and arm64 (docs/ci.md). Built once, on the machine's own kind of processor: only the package of the
# store's engine differs. server/test/container/ runs these steps without a container engine.

# What is installed for production, anew only where the manifest has changed. Of the packages for development, the manifest names some
# that are in this clone alone. A package that fits no processor is left out silently, so that is looked at.
FROM --platform=$BUILDPLATFORM node:24-trixie-slim AS packages
ARG TARGETARCH
WORKDIR /packages
COPY server/package.json ./
RUN case "$TARGETARCH" in amd64) cpu=x64 ;; *) cpu="$TARGETARCH" ;; esac && \
    npm pkg delete devDependencies && \
    npm install --ignore-scripts --no-audit --no-fund --os=linux --cpu="$cpu" --libc=glibc && \
    test -d "node_modules/@lmdb/lmdb-linux-$cpu"

FROM --platform=$BUILDPLATFORM node:24-trixie-slim AS build
WORKDIR /src
COPY package.json package-lock.json ./
COPY catchers/package.json catchers/
COPY cli/package.json cli/
COPY client/package.json client/
COPY mcp/package.json mcp/
COPY server/package.json server/
COPY web/package.json web/
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY . .
# The image has the files of the package that goes to npm.
RUN npm run --silent build && \
    npm pack --workspace server --pack-destination /tmp && \
    mkdir -p /rootfs/app/node_modules/mayfly-inbox && \
    tar --extract --file /tmp/mayfly-inbox-*.tgz --strip-components=1 --no-same-owner --directory /rootfs/app/node_modules/mayfly-inbox

# There is no shell and no /usr/bin/env in the image: this makes "docker exec NAME mayfly wait ADDRESS" work all the same.
RUN mkdir -p /rootfs/usr/local/bin && \
    printf '#!/nodejs/bin/node\nrequire("/app/node_modules/mayfly-inbox/bin/mayfly.js");\n' > /rootfs/usr/local/bin/mayfly && \
    chmod 755 /rootfs/usr/local/bin/mayfly

# For the image's user, and for any other that is given without a group: Docker puts that into group 0.
RUN mkdir -p /volume/data && chmod 770 /volume/data

FROM gcr.io/distroless/nodejs24-debian13:nonroot
# Version and revision are labels that a release adds.
LABEL org.opencontainers.image.title="Mayfly" \
      org.opencontainers.image.description="Disposable inboxes for automated tests: mail in over SMTP, codes and links out over HTTP." \
      org.opencontainers.image.url="https://github.com/OWNER/mayfly" \
      org.opencontainers.image.source="https://github.com/OWNER/mayfly" \
      org.opencontainers.image.documentation="https://github.com/OWNER/mayfly/blob/main/docs/ci.md" \
      org.opencontainers.image.licenses="MIT"
COPY --from=packages --chown=0:0 /packages/node_modules/ /app/node_modules/
COPY --from=build --chown=0:0 /rootfs/ /
# The folder is copied with the one above it, since only then its mode comes along.
COPY --from=build --chown=65532:0 /volume/ /
# A container is reached through the ports that are published, so it listens at all of its addresses.
# What glibc's allocator keeps of memory that was given back, in pieces that fit nothing, would otherwise be as much again as is held for
# slow readers.
ENV MALLOC_ARENA_MAX=2 \
    MALLOC_MMAP_THRESHOLD_=262144 \
    MAYFLY_HOST=0.0.0.0 \
    MAYFLY_DOMAIN=* \
    MAYFLY_STORE=lmdb:/data
USER 65532:65532
VOLUME /data
EXPOSE 2525 8080
STOPSIGNAL SIGTERM
HEALTHCHECK --interval=5s --timeout=5s --start-period=30s --start-interval=0.5s --retries=3 CMD ["/usr/local/bin/mayfly", "healthy"]
ENTRYPOINT ["/usr/local/bin/mayfly"]
CMD ["serve"]
