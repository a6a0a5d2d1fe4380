# tada in a container: not root, and nothing to write to but what you mount.
#   docker build -t tada .
#   docker run --rm --read-only --tmpfs /tmp --user "$(id -u)" -v "$PWD:/data" tada anonymize people.csv --quasi age,zip -k 5 -o released.csv
# `tada serve` answers on loopback alone: add --network host, and open the address that it prints.
# What follows the last FROM is run in a bare Debian 12 by `make dist-test`.
FROM debian:bookworm AS build
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates git make python3-venv
COPY . /src
RUN make -C /src dist

FROM debian:bookworm-slim
COPY --from=build /src/dist/*.deb /opt/
RUN apt-get update && apt-get install -y --no-install-recommends ca-certificates libpq5 /opt/*.deb && rm -rf /opt/*.deb /var/lib/apt/lists/*
RUN useradd --system --uid 10001 --no-create-home tada && install -d -o tada /data
USER 10001:10001
WORKDIR /data
ENTRYPOINT ["tada"]
CMD ["--help"]
